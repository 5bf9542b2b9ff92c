/** An item with its presigned URLs cut after the path, because the rest works as a key. */
export function withoutSecrets(
  item: Readonly<Record<string, unknown>>,
  paths: readonly string[],
): Readonly<Record<string, unknown>> {
  return paths.reduce((current, path) => masked(current, path.split('.')), item);
}

function masked(
  item: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
): Readonly<Record<string, unknown>> {
  const value = item[name];
  if (rest.length === 0) return typeof value === 'string' ? { ...item, [name]: maskUrl(value) } : item;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return item;
  return { ...item, [name]: masked(value as Readonly<Record<string, unknown>>, rest) };
}

function maskUrl(url: string): string {
  const [path = ''] = url.split(/[?#]/);
  return path === url ? url : `${path}?***`;
}
