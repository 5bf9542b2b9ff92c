const OPENS = /<script type="application\/json" id="plan" data-title="(plan|drift|preview)">/;
const CLOSES = '</script>';

/** What a page holds, or null if the text is not a page of Herald. */
export function readPagePlan(
  html: string,
): { readonly title: 'plan' | 'drift' | 'preview'; readonly document: unknown } | null {
  const open = OPENS.exec(html);
  if (open === null) return null;
  const start = open.index + open[0].length;
  const end = html.indexOf(CLOSES, start);
  if (end === -1) return null;
  try {
    const document: unknown = JSON.parse(html.slice(start, end));
    return { title: open[1] as 'plan' | 'drift' | 'preview', document };
  } catch {
    return null;
  }
}
