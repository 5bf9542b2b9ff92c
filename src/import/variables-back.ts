const PLACEHOLDER = /(?<!\\)\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/**
 * Puts the variables of the written text back into the live text, where their values occur. Filling them in gives the
 * live text again.
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
    // After a backslash, the braces would be literal.
    if (live[offset - 1] === '\\') return found;
    const name = values.find(({ value }) => value === found)?.name ?? '';
    return `{{${name}}}`;
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
