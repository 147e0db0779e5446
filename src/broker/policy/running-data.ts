/** Which options run programs, by program. Data: whoever finds one that is missing adds it here. */

/** What of a program's words may run another. */
export interface Runners {
  /** Long options without `--`; the beginning of one counts as it. */
  readonly long?: readonly string[];
  /** Letters of short options, alone or in a bundle. */
  readonly short?: string;
  /** Options that are one word behind `-` or `--`: `-exec`. */
  readonly dashed?: readonly string[];
  /** Words that are no options. */
  readonly words?: readonly string[];
  /** Letters of a word that is a bundle without `-`. */
  readonly letters?: string;
  /** Any word that looks like this. */
  readonly text?: RegExp;
  /** `NAME=value`. */
  readonly assignments?: boolean;
  /** Verbs that run what follows, or set what is run later. */
  readonly verbs?: readonly string[];
  /** Is an operand a script of sed? */
  readonly isSed?: boolean;
  /** Letters of the first word, where that is a bundle of options also without `-`. */
  readonly bareLetters?: string;
}

/** Long options that mean this wherever they are known. */
export const generalRunners: Runners = {
  long: list(
    "exec exec-batch exec-path execute command receive-pack upload-pack pre hostname-bin compress-program " +
      "use-compress-program unzip-command to-command rsh-command rmt-command checkpoint-action info-script " +
      "new-volume-script rsh rsync-path pager shell-command sh-exec init-command init-file rcfile eval extcmd " +
      "open-files-in-pager config-env script-shell node-options proxy-command toolexec use-askpass entrypoint " +
      "postrotate-command load-extension init-script upload-hook",
  ),
  // A transport that is a command, and addresses of socat.
  text: /^ext::|(?:^|,)(?:exec|system|shell):/i,
};

const fetches: Runners = { long: list("upload-pack exec") };
const inits: Runners = { long: list("template config upload-pack"), short: "uc" };
const bySsh: Runners = { short: "oFSID", dashed: list("oProxyCommand") };
const evaluates: Runners = {
  long: list("eval print require import loader experimental-loader"),
  short: "epr",
};
const python: Runners = { short: "c" };
const awk: Runners = {
  long: list("file exec include load"),
  short: "fEil",
  text: /system|getline|[|>@]/,
};
const finds: Runners = { dashed: list("exec execdir ok okdir fprint fprintf fprint0 fls") };
const fd: Runners = { short: "xX", long: list("exec exec-batch") };
const sed: Runners = { short: "f", long: list("file"), isSed: true };
const shells: Runners = { short: "c", long: list("init-file rcfile command") };
const editors: Runners = { short: "cSsu", long: list("cmd"), text: /^\+/ };
const makes: Runners = { short: "fE", long: list("file makefile eval"), assignments: true };
const containers: Runners = { long: list("entrypoint privileged device volume mount"), short: "v" };
const packages: Runners = { long: list("script-shell node-options call"), verbs: list("exec x dlx explore") };
const apt: Runners = { short: "oc", long: list("option config-file") };
const compilers: Runners = {
  short: "B",
  dashed: list("wrapper fplugin load plugin Xclang specs"),
  text: /^@/,
};
const clusters: Runners = { long: list("kubeconfig") };

const table = new Map(
  Object.entries<Runners>({
    git: {
      verbs: list(
        "bisect config credential daemon difftool filter-branch hook instaweb mergetool send-email",
      ),
    },
    "git push": { long: list("receive-pack exec") },
    "git send-pack": { long: list("receive-pack exec") },
    "git fetch": fetches,
    "git pull": fetches,
    "git ls-remote": fetches,
    "git fetch-pack": fetches,
    "git archive": { long: list("exec remote") },
    "git clone": inits,
    "git init": { long: list("template") },
    "git submodule": { words: list("foreach") },
    "git rebase": { long: list("exec"), short: "x" },
    "git grep": { long: list("open-files-in-pager"), short: "O" },
    "git diff": { long: list("ext-diff textconv output") },
    "git log": { long: list("ext-diff textconv output") },
    "git show": { long: list("ext-diff textconv output") },
    rg: { long: list("pre hostname-bin") },
    find: finds,
    gfind: finds,
    fd,
    fdfind: fd,
    sed,
    gsed: sed,
    awk,
    gawk: awk,
    mawk: awk,
    nawk: awk,
    tar: {
      long: list(
        "to-command checkpoint-action use-compress-program rsh-command rmt-command info-script new-volume-script",
      ),
      short: "IF",
      bareLetters: "IF",
    },
    bsdtar: { long: list("use-compress-program"), short: "I" },
    rsync: { long: list("rsh rsync-path config"), short: "e" },
    ssh: bySsh,
    scp: bySsh,
    sftp: bySsh,
    sort: { long: list("compress-program") },
    split: { long: list("filter") },
    install: { long: list("strip-program"), short: "s" },
    diff3: { long: list("diff-program") },
    sdiff: { long: list("diff-program") },
    cc: compilers,
    gcc: compilers,
    "g++": compilers,
    "c++": compilers,
    clang: compilers,
    "clang++": compilers,
    hg: { long: list("config") },
    svn: { long: list("diff-cmd diff3-cmd merge-cmd editor-cmd config-option config-dir") },
    nmap: { long: list("script script-args datadir servicedb versiondb") },
    zip: { long: list("unzip-command"), short: "T" },
    less: { text: /^\+/, short: "kt", long: list("lesskey-file lesskey-src tag-file") },
    man: { long: list("pager html preprocessor config-file"), short: "PHC" },
    vi: editors,
    vim: editors,
    nvim: editors,
    ex: editors,
    view: editors,
    emacs: {
      long: list("eval execute funcall load script"),
      short: "fl",
      dashed: list("eval funcall load script"),
    },
    gdb: { short: "x", dashed: list("ex iex ix command eval-command init-command init-eval-command") },
    lldb: { short: "osOSk", long: list("one-line source one-line-before-file source-before-file") },
    make: makes,
    gmake: makes,
    cmake: { short: "PEDC", text: /^-[DPEC]/ },
    ninja: { short: "f" },
    just: { short: "fc", long: list("justfile shell command set") },
    cargo: { long: list("config"), text: /^\+/ },
    go: { dashed: list("exec toolexec vettool overlay"), verbs: list("generate") },
    npm: { ...packages, short: "c" },
    pnpm: packages,
    yarn: packages,
    node: evaluates,
    nodejs: evaluates,
    bun: evaluates,
    deno: { verbs: list("eval"), long: list("preload import") },
    perl: { short: "eExMmI" },
    ruby: { short: "erI" },
    lua: { short: "el" },
    php: { short: "rBRFEd", long: list("run define") },
    python,
    pypy: python,
    sh: shells,
    bash: shells,
    zsh: shells,
    dash: shells,
    ksh: shells,
    fish: { short: "cC", long: list("command init-command") },
    env: { short: "S", long: list("split-string") },
    xterm: { short: "e" },
    su: { short: "c", long: list("command session-command shell") },
    script: { short: "c", long: list("command") },
    flock: { short: "c", long: list("command") },
    wget: { short: "e", long: list("execute config use-askpass") },
    curl: { short: "K", long: list("config") },
    nc: { short: "ec", long: list("exec sh-exec lua-exec") },
    ncat: { short: "ec", long: list("exec sh-exec lua-exec") },
    tcpdump: { short: "z" },
    openssl: { dashed: list("engine provider provider-path") },
    psql: { short: "cfv", long: list("command file set variable") },
    mysql: { short: "e", long: list("execute pager init-command plugin-dir") },
    sqlite3: { dashed: list("cmd init"), text: /\.(?:shell|system|load|import|output|once)|load_extension/ },
    docker: containers,
    podman: containers,
    nerdctl: containers,
    kubectl: clusters,
    oc: clusters,
    helm: { long: list("kubeconfig post-renderer") },
    gpg: { long: list("photo-viewer exec-path load-extension agent-program keyserver-options") },
    apt,
    "apt-get": apt,
    dpkg: { long: list("pre-invoke post-invoke admindir root") },
    pandoc: { short: "FL", long: list("filter lua-filter pdf-engine defaults") },
    java: { dashed: list("javaagent agentlib agentpath"), text: /^-XX:On|^@/ },
    gradle: { short: "I", long: list("init-script") },
    "systemd-run": { short: "p", long: list("property") },
    watch: { text: /[;&|`$]/ },
  }),
);

/** What of the words behind `name` may run a program: `git`, `git push`, `python3.12`; null where nothing is known to. */
export function runnersOf(name: string): Runners | null {
  return table.get(name) ?? table.get(name.replace(/[0-9.]{1,16}$/, "")) ?? null;
}

function list(words: string): readonly string[] {
  return words.split(" ");
}
