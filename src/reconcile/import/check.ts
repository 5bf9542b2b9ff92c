import type { Files } from '../../domain/ports.ts';
import { writes, type Change, type Plan } from '../../domain/change.ts';
import type { Knowledge } from '../../domain/knowledge.ts';
import { formatAddress } from '../../domain/resource.ts';
import { loadDeclared, type LoadOptions } from '../../workspace/load.ts';
import { ReconcileError } from '../errors.ts';
import type { Opened } from '../source.ts';
import type { Draft } from './draft.ts';
import { withFiles } from './overlay.ts';
import { ofAccounts, planFor, type Scan } from './scan.ts';

/** Why an address cannot be declared like this, by `account/kind/name`; empty when the plan is quiet. */
export type Faults = ReadonlyMap<string, string>;

/** What a draft is judged by. */
export interface Grounds {
  readonly files: Files;
  /** How the files are loaded. */
  readonly options: LoadOptions;
  readonly opened: Opened;
  readonly scan: Scan;
  /** What a plan says as long as nothing is written. */
  readonly before: Plan;
  readonly knowledge: Knowledge;
}

/**
 * Loads the files as they would be and plans over what was read, as if no ledger remembered the import: every
 * address of the draft must be quiet, and nothing else may be decided otherwise than in `before`.
 */
export async function checkDraft(
  { files, options, opened, scan, before, knowledge }: Grounds,
  draft: Draft,
): Promise<Faults> {
  const loaded = await loadDeclared(withFiles(files, draft.files), options);
  if (loaded.kind === 'invalid')
    throw new ReconcileError(
      'import-not-loadable',
      'What would be written does not load, so nothing was written.',
      'This is a bug in Herald: report the lines above.',
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
      faults.set(address, 'What is declared for it would be decided otherwise.');
    }
  }
  for (const { severity, address, message } of after.diagnostics)
    if (severity === 'error' && address !== undefined && draft.addresses.has(address))
      faults.set(address, `A policy holds it back: ${message}`);
  return faults;
}

/** Nothing to do about it, now or later. */
export function isQuiet(change: Change): boolean {
  return !writes(change) && change.action !== 'blocked' && change.action !== 'missed';
}

function describe({ action, reasons, fields }: Change): string {
  const paths = fields.map(({ path }) => path).join(', ');
  const about = paths === '' ? '' : ` (${paths})`;
  return `A plan would not leave it alone: ${action}${about}. ${reasons.join(' ')}`.trim();
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
