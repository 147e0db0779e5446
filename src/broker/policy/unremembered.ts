/**
 * Programs of which nothing is remembered beyond the session. Data. Each does what a file, a directory or another program
 * says that its words only name: tomorrow, or in another directory, the same words are another act.
 */
import { commandOf, nameOf, runsArguments } from "./programs.js";

/** They build or run what a file in the directory says: a Makefile, a package.json, a conftest.py, a .gdbinit. */
const directed = wordsOf(
  "make gmake bmake nmake cmake ctest cpack ninja samu meson scons waf bazel bazelisk buck buck2 pants please just task " +
    "go-task rake thor invoke inv fab doit mage nox tox pytest py.test pre-commit lefthook husky overcommit earthly dagger " +
    "npm npx pnpm pnpx yarn bunx corepack lerna nx turbo rush gulp grunt webpack vite rollup parcel jest vitest mocha ava " +
    "karma cypress playwright eslint prettier stylelint babel tsx ts-node tsup storybook next nuxt astro ng vue-cli-service " +
    "expo react-native electron wrangler vercel netlify serverless sls cdk sam pulumi terraform tofu terragrunt packer " +
    "vagrant ansible ansible-playbook ansible-pull molecule docker-compose podman-compose nerdctl compose skaffold tilt " +
    "helm helmfile kustomize act fastlane pod xcodebuild swift cargo cross trunk wasm-pack go air gradle gradlew mvn mvnw " +
    "mvnd ant sbt mill lein clj clojure bb dotnet msbuild nuget paket fake mix iex rebar3 erl elixir stack cabal ghc " +
    "runghc dune opam esy nim nimble zig crystal shards dub julia r rscript composer artisan phpunit drush rails " +
    "bundle bundler gem rspec cucumber guard foreman honcho overmind supervisord pip pip3 pipx pipenv poetry pdm hatch uv " +
    "rye conda mamba micromamba virtualenv flask django-admin gunicorn uvicorn celery sphinx-build mkdocs hugo jekyll " +
    "latexmk latex pdflatex xelatex lualatex m4 autoconf automake autoreconf configure aclocal nix nix-shell nix-build nix-env " +
    "nixos-rebuild home-manager guix devenv devbox direnv mise asdf rtx volta proto gdb lldb emacs vi vim nvim ex ed " +
    "screen tmux tmuxinator crontab systemd-run start-stop-daemon run-parts entr watchexec nodemon pm2 fswatch inotifywait",
);

/** No program of ours is longer; the limit keeps patterns over names linear. */
const longestName = 40;

/** Is the command one whose words do not say what it does? */
export function isUnremembered(words: readonly string[]): boolean {
  const [program = ""] = words;
  const name = nameOf(program);
  // `pytest-3`, `make-4.4`
  const plain = name.length > longestName ? name : name.replace(/[-0-9.]+$/, "");
  if (directed.has(name) || directed.has(plain)) return true;
  // Loaders and scripts by their names: what they run stands in a file.
  if (/^ld(?:-linux.*)?\.so|\.(?:sh|bash|zsh|py|rb|pl|js|mjs|cjs|ts|php|lua|jar)$/.test(name)) return true;
  // The program behind `find -exec` is bound to no file.
  if (words.some((word) => /^-(?:exec|ok)(?:dir)?$/.test(word))) return true;
  return runsArguments(commandOf({ words, targets: [], from: null, host: null }, true));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
