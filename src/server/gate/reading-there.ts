/** Programs that start what a file of the directory says: a task, a script, a program. They cannot all be known. */
import { basename } from "node:path";

/** By their `programName`. */
export const readingThere: ReadonlySet<string> = new Set([
  ...["make", "gmake", "bmake", "nmake", "ninja", "scons", "waf", "just", "task", "go-task"],
  ...["mage", "rake", "jake", "npm", "pnpm", "yarn", "bun", "grunt", "gulp", "nodemon"],
  ...["vite", "cargo", "makers", "tox", "nox", "doit", "gradle", "gradlew", "mvn", "mvnw"],
  ...["ant", "sbt", "lein", "mill", "bazel", "bloop", "air", "modd", "tilt", "nix"],
  ...["nix-shell", "nix-build", "devenv", "devbox", "direnv", "mise", "asdf", "flox", "pixi", "hatch"],
  ...["uv", "poetry", "pdm", "pipenv", "rye", "composer", "bundle", "mix", "dotnet", "deno"],
  ...[
    "procodile",
    "foreman",
    "overmind",
    "hivemind",
    "honcho",
    "docker-compose",
    "podman-compose",
    "vagrant",
    "turbo",
    "nx",
  ],
  ...["lerna", "rush", "invoke", "inv", "fab", "cmake", "ctest", "meson", "tup", "xmake"],
  ...[
    "stack",
    "cabal",
    "process-compose",
    "pm2",
    "pm2-runtime",
    "wrangler",
    "snakemake",
    "dagger",
    "earthly",
    "poe",
  ],
  ...["tsx", "ts-node", "ts-node-esm", "vite-node", "babel-node", "esno", "jiti", "tsimp", "vitest", "mocha"],
  ...["pytest", "conda", "electron", "rails", "swift", "R", "Rscript", "octave", "iex", "ghci"],
  ...["gdb", "npm-cli", "npx-cli"],
]);

/** What a program, or a script, is called: without its directory, its version and the kind of file that it is. */
export function programName(program: string): string {
  return basename(program).replace(/(?:-?[\d.]+|\.(?:exe|cmd|[cm]?js|py|rb|pl|sh))$/, "");
}
