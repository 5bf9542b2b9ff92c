/** The lines of a Markdown document that stand outside of fenced blocks; an open fence at the end throws. */
export function outsideFences(markdown: string): string {
  const outside: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const ticks = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
    if (fence === null) {
      if (ticks === null) outside.push(line);
      else fence = ticks[1] ?? null;
    } else if (ticks?.[1]?.startsWith(fence) === true && ticks[2]?.trim() === '') {
      fence = null;
    }
  }
  if (fence !== null) throw new Error(`the fence ${fence} is never closed`);
  return outside.join('\n');
}
