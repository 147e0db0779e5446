/** Preloaded into a program: the import of a package that it does not need. */
import "typescript";
