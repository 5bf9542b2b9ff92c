/** The text of a file as it is (scripts/page-assets.js). */
declare module '*?text' {
  const text: string;
  export default text;
}
