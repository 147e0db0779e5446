/**
 * Names of programs that stand above a person's clients without being one. An unknown name counts as a client: that
 * refuses too much rather than too little.
 */

/** Linux keeps so many bytes of a name. */
const longestName = 15;

/** A shell that leads the session of a terminal is where a person types. Elsewhere it is a wrapper like any other. */
const shells = new Set(
  "sh bash rbash dash ash busybox zsh fish ksh ksh93 mksh oksh tcsh csh nu elvish xonsh pwsh osh ysh yash".split(
    " ",
  ),
);

/** What starts a person's terminals as well as their clients: a client that it started ends below it. */
const starters = new Set(
  [
    // Service managers, the first process of a container, what runs on its own at set times.
    "init systemd launchd runit runsv s6-svscan s6-supervise openrc-init supervise-daemon tini docker-init",
    "dumb-init catatonit conmon cron crond anacron atd dbus-daemon dbus-broker dbus-launch xdg-desktop-portal",
    // Logins, near and far.
    "login getty agetty sshd sshd-session dropbear mosh-server etserver etterminal tailscaled ttyd vshd garcon",
    "relay sessionleader gdm gdm-session-worker gdm-wayland-session gdm-x-session sddm sddm-helper lightdm",
    "greetd loginwindow",
    // Desktops, their window managers and what starts a program by its name.
    "gnome-shell gnome-session-binary gnome-session-service plasmashell plasma_session kwin_wayland kwin_x11",
    "ksmserver krunner kded5 kded6 kdeinit5 klauncher startplasma-wayland startplasma-x11 xfce4-session",
    "xfce4-panel xfdesktop xfwm4 cinnamon cinnamon-session cinnamon-session-binary mate-session mate-panel marco",
    "lxsession lxpanel lxqt-session lxqt-panel lxqt-runner budgie-panel budgie-wm cosmic-session cosmic-comp",
    "cosmic-panel sway swaybar hyprland niri labwc wayfire weston i3 bspwm dwm openbox xmonad qtile waybar polybar",
    "rofi wofi fuzzel dmenu ulauncher albert finder dock spotlight",
    // Terminal emulators and multiplexers. Those with an agent of their own are clients, and so not here.
    "xterm uxterm urxvt rxvt st foot footclient kitty alacritty wezterm-gui wezterm-mux-server ghostty konsole yakuake",
    "gnome-terminal-server gnome-terminal ptyxis ptyxis-agent kgx tilix terminator guake xfce4-terminal",
    "mate-terminal lxterminal qterminal terminology deepin-terminal cool-retro-term contour rio terminal iterm2",
    "itermserver com.termux tmux screen zellij dtach abduco",
  ].flatMap((line) => line.split(" ").map(comparable)),
);

/** Is this the name of a shell? */
export function isShell(name: string): boolean {
  return shells.has(comparable(name));
}

/** Is this the name of what starts a person's terminals as well as their clients? */
export function isStarter(name: string): boolean {
  return starters.has(comparable(name));
}

/** Without the marks and numbers that programs put to their names: `-zsh`, `tmux: server`, `init(Debian)`. */
function comparable(name: string): string {
  return name
    .replace(/^-/, "")
    .replace(/[:(].*$/, "")
    .replace(/-\d[\d.]*$/, "")
    .toLowerCase()
    .slice(0, longestName);
}
