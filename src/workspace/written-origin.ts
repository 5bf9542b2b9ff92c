import { checkShape } from './shape-issues.ts';
import { workspaceFileShape } from './schema.ts';
import { readYaml } from './yaml-source.ts';

/** What `service:` of `herald.yaml` says without any variables. */
export type WrittenOrigin =
  | { readonly kind: 'origin'; readonly origin: string }
  | { readonly kind: 'simulator' }
  /** It has a variable, is not an address, or is not there. */
  | { readonly kind: 'unknown' };

/** Reads `service:` alone, also where other parts of the file have errors. */
export function readOrigin(text: string): WrittenOrigin {
  const { source } = readYaml('herald.yaml', text);
  if (source === null) return { kind: 'unknown' };
  const { value } = checkShape(workspaceFileShape, source.value, { version: 1 });
  const { base_url: url = '', simulator } = value?.service ?? {};
  if (simulator !== undefined) return { kind: 'simulator' };
  if (url.includes('${') || !URL.canParse(url)) return { kind: 'unknown' };
  const { protocol, origin } = new URL(url);
  return /^https?:$/.test(protocol) ? { kind: 'origin', origin } : { kind: 'unknown' };
}
