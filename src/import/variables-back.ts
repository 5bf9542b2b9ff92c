const PLACEHOLDER = /(?<!\\)\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/**
 * The live text with the variables back in it that the typed one uses, wherever their values stand. It fills in to
 * the live text again, because a value is put back where it was taken from.
 */
export function putBackVariables(
  typed: string,
  live: string,
  variables: ReadonlyMap<string, string>,
): string {
  const used = new Set([...typed.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''));
  const values = [...used]
    .map((name) => ({ name, value: variables.get(name) ?? '' }))
    .filter(({ value }) => value !== '' && !value.includes('{{'))
    .toSorted((left, right) => right.value.length - left.value.length);
  if (values.length === 0) return live;
  const anyValue = new RegExp(values.map(({ value }) => escaped(value)).join('|'), 'g');
  return live.replace(anyValue, (found, offset: number) => {
    // Behind a backslash the braces would be literal ones.
    if (live[offset - 1] === '\\') return found;
    const name = values.find(({ value }) => value === found)?.name ?? '';
    return `{{${name}}}`;
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
