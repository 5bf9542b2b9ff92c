import type { Files } from '../domain/ports.ts';
import { writes, type Change, type Plan } from '../domain/change.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import { formatAddress } from '../domain/resource.ts';
import { loadDeclared, type LoadOptions } from '../workspace/load.ts';
import { ReconcileError } from '../errors.ts';
import type { Opened } from '../source.ts';
import type { Draft } from './draft.ts';
import { withFiles } from './overlay.ts';
import { ofAccounts, planFor, type Scan } from './scan.ts';

/**
 * The reason why an address cannot be declared like this, by `account/kind/name`. Empty if the plan would change
 * nothing.
 */
export type Faults = ReadonlyMap<string, string>;

/** The inputs for the check of a draft. */
export interface DraftCheckInput {
  readonly files: Files;
  /** Options for loading the files. */
  readonly options: LoadOptions;
  readonly opened: Opened;
  readonly scan: Scan;
  /** The plan without the new files. */
  readonly before: Plan;
  readonly knowledge: Knowledge;
}

/**
 * Loads the files with the draft and plans, as if the ledger did not know the import. The plan must not change any
 * address of the draft, and must decide the same as `before` about all others.
 */
export async function checkDraft(
  { files, options, opened, scan, before, knowledge }: DraftCheckInput,
  draft: Draft,
): Promise<Faults> {
  const loaded = await loadDeclared(withFiles(files, draft.files), options);
  if (loaded.kind === 'invalid')
    throw new ReconcileError(
      'import-not-loadable',
      'The new files would not be valid, so nothing was written.',
      'This is a bug in Herald. Please report the lines above.',
      { diagnostics: loaded.diagnostics },
    );
  const { placeOf } = loaded;
  const declared = ofAccounts(loaded.declared, scan.accounts);
  const after = planFor(opened, scan, knowledge, { declared, placeOf });
  const earlier = decisionsOf(before);
  const faults = new Map<string, string>();
  for (const [address, changes] of byAddress(after)) {
    if (draft.addresses.has(address)) {
      const loud = changes.find((change) => !isQuiet(change));
      if (loud !== undefined) faults.set(address, describe(loud));
    } else if (changes.some(writes) && earlier.get(address) !== decisions(changes)) {
      faults.set(address, 'The decision about a declared resource would change.');
    }
  }
  for (const { severity, address, message } of after.diagnostics)
    if (severity === 'error' && address !== undefined && draft.addresses.has(address))
      faults.set(address, `A policy blocks it: ${message}`);
  return faults;
}

/** True if nothing is to be done about it, now or later. */
export function isQuiet(change: Change): boolean {
  return !writes(change) && change.action !== 'blocked' && change.action !== 'missed';
}

function describe({ action, reasons, fields }: Change): string {
  const paths = fields.map(({ path }) => path).join(', ');
  const about = paths === '' ? '' : ` (${paths})`;
  return `A plan would change it: ${action}${about}. ${reasons.join(' ')}`.trim();
}

export function byAddress({ changes }: Plan): ReadonlyMap<string, readonly Change[]> {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    if (change.action === 'unmanaged') continue;
    const address = formatAddress(change.address);
    const group = groups.get(address);
    if (group === undefined) groups.set(address, [change]);
    else group.push(change);
  }
  return groups;
}

function decisionsOf(plan: Plan): ReadonlyMap<string, string> {
  return new Map([...byAddress(plan)].map(([address, changes]) => [address, decisions(changes)]));
}

function decisions(changes: readonly Change[]): string {
  return changes.map(({ action, live_id: id }) => `${action} ${id ?? ''}`).join(', ');
}
