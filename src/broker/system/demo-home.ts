/** Where the home of a demo lies: in a directory for temporary files, and gone with it. */

/** How the name of that directory begins; the home is `home` in it. */
export const demoPrefix = "wisp-demo-";
