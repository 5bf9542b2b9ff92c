import { stateShape, workspaceFileShape } from './schema.ts';
import { checkShape } from './shape-check.ts';
import { WORKSPACE_FILE } from './workspace.ts';
import { readYaml } from './yaml.ts';

/** Where `state:` of `herald.yaml` keeps the state and the lease. */
export type StateSettings =
  | { readonly kind: 'files' }
  | {
      readonly kind: 'postgres';
      /** The variable of the environment that has the address. */
      readonly variable: string;
      readonly workspace: string;
      readonly leaseSec: number;
      readonly retrySec: number;
    }
  | { readonly kind: 'branch'; readonly remote: string; readonly branch: string }
  /** The file has errors there, so the place of the state is unknown. */
  | { readonly kind: 'unknown' };

/** Seconds after which a run that does not renew its lease has lost it. */
const LEASE_SEC = 60;
/** Seconds for which a transaction is repeated while the database cannot be reached. */
const RETRY_SEC = 120;
const REMOTE = 'origin';

const IN_FILES: StateSettings = { kind: 'files' };

/** Every key that can be read as `state` contains the word, or an escape. Other files need no parser. */
const MAY_NAME_STATE = /state|\\/i;

/** Reads `state:` alone, because the state must be found even where other parts of the file have errors. */
export function readState(text: string): StateSettings {
  if (!MAY_NAME_STATE.test(text)) return IN_FILES;
  const { source, diagnostics } = readYaml(WORKSPACE_FILE, text);
  // A key that is written twice, for example, leaves open which of them counts.
  if (source === null || diagnostics.length > 0 || !isRecord(source.value)) return { kind: 'unknown' };
  const { state: written } = source.value;
  const keys = Object.keys(source.value);
  // A key that is not known may have been meant as `state`.
  if (written === undefined)
    return keys.every((key) => Object.hasOwn(workspaceFileShape.shape, key)) ? IN_FILES : { kind: 'unknown' };
  const { value: state } = checkShape(stateShape, written);
  if (state === null) return { kind: 'unknown' };
  if (typeof state === 'string') return IN_FILES;
  if ('git_branch' in state)
    return { kind: 'branch', remote: state.remote ?? REMOTE, branch: state.git_branch };
  return {
    kind: 'postgres',
    variable: state.postgres.slice(2, -1),
    workspace: state.workspace,
    leaseSec: state.lease_sec ?? LEASE_SEC,
    retrySec: state.retry_sec ?? RETRY_SEC,
  };
}

/** What `service:` of `herald.yaml` says without any variables. */
type WrittenOrigin =
  | { readonly kind: 'origin'; readonly origin: string }
  | { readonly kind: 'simulator' }
  /** It has a variable, is not an address, or is not there. */
  | { readonly kind: 'unknown' };

/** Reads `service:` alone, also where other parts of the file have errors. */
export function readOrigin(text: string): WrittenOrigin {
  const { source } = readYaml(WORKSPACE_FILE, text);
  const service = isRecord(source?.value) ? source.value['service'] : undefined;
  if (!isRecord(service)) return { kind: 'unknown' };
  const { base_url: url, simulator } = service;
  if (typeof simulator === 'string') return { kind: 'simulator' };
  if (typeof url !== 'string' || url.includes('${') || !URL.canParse(url)) return { kind: 'unknown' };
  const { protocol, origin } = new URL(url);
  return /^https?:$/.test(protocol) ? { kind: 'origin', origin } : { kind: 'unknown' };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
