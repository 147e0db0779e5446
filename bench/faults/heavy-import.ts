/** Preloaded into a program: packages that the command line uses elsewhere, whole and unbundled. */
import "commander";
import "zod";
