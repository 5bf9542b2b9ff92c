/** The text of a style sheet or a script of the page, bundled (scripts/page-assets.js). */
declare module '*?page' {
  const text: string;
  export default text;
}
