/** The text of a style sheet or a script of the page, bundled (scripts/page-assets.js). */
declare module '*?page' {
  const text: string;
  export default text;
}

/** The text of a file as it is (scripts/page-assets.js). */
declare module '*?text' {
  const text: string;
  export default text;
}
