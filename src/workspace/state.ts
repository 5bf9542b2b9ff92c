import type * as z from 'zod/mini';
import { isMembers, readMember } from '../domain/field-path.ts';
import { stateShape, workspaceFileShape } from './schema.ts';
import { checkShape } from './shape-check.ts';
import { WORKSPACE_FILE } from './workspace.ts';
import { readYaml } from './yaml.ts';

export type StateSettings = z.output<typeof stateShape>;

const IN_FILES: StateSettings = '.herald';

/** Reads `state:` alone, also next to errors. Null if it may be in another place than the file says. */
export function readState(text: string): StateSettings | null {
  // Every key that can be read as `state` contains the word, or an escape. Other files need no parser.
  if (!/state|\\/i.test(text)) return IN_FILES;
  const { source, diagnostics } = readYaml(WORKSPACE_FILE, text);
  // A key that is written twice, for example, leaves open which of them counts.
  if (source === null || diagnostics.length > 0 || !isMembers(source.value)) return null;
  const { state: written } = source.value;
  const keys = Object.keys(source.value);
  // A key that is not known may have been meant as `state`.
  if (written === undefined)
    return keys.every((key) => Object.hasOwn(workspaceFileShape.shape, key)) ? IN_FILES : null;
  return checkShape(stateShape, written);
}

/** What `service:` of `herald.yaml` says without any variables. */
type WrittenOrigin =
  | { readonly kind: 'origin'; readonly origin: string }
  | { readonly kind: 'simulator' }
  /** It has a variable, is not an address, or is not there. */
  | { readonly kind: 'unknown' };

/** Reads `service:` alone, also where other parts of the file have errors. */
export function readOrigin(text: string): WrittenOrigin {
  const service = readMember(readYaml(WORKSPACE_FILE, text).source?.value, 'service');
  const [url, simulator] = [readMember(service, 'base_url'), readMember(service, 'simulator')];
  if (typeof simulator === 'string') return { kind: 'simulator' };
  if (typeof url !== 'string' || url.includes('${') || !URL.canParse(url)) return { kind: 'unknown' };
  const { protocol, origin } = new URL(url);
  return /^https?:$/.test(protocol) ? { kind: 'origin', origin } : { kind: 'unknown' };
}
