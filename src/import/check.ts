import type { Files } from '../domain/ports.ts';
import { writes, type Change, type Plan } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Look } from '../engine/look.ts';
import { NOTHING_SHOWN } from '../plan/compare/shown.ts';
import { objectKey } from '../plan/facts.ts';
import { buildPlan } from '../plan/plan.ts';
import type { ObjectRow } from '../state/shapes.ts';
import { loadDeclared, type LoadOptions } from '../workspace/load.ts';
import type { Draft } from './draft.ts';
import type { LiveObject } from './file-edits.ts';
import { withFiles } from './overlay.ts';
import type { Scan } from './scan.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** The inputs for the check of a draft. */
export interface DraftCheckInput {
  readonly files: Files;
  /** Options for loading the files. */
  readonly options: LoadOptions;
  /** With the plan without the new files. */
  readonly scan: Scan;
}

/** The plan with the files of a draft. */
export interface Checked extends Pick<Look, 'plan' | 'facts'> {
  /**
   * The reason why an address cannot be declared like this, by `account/kind/name`. Empty if the plan would change
   * nothing.
   */
  readonly faults: ReadonlyMap<string, string>;
}

/**
 * Loads the files with the draft and plans, as if the state did not know the import. The plan must not change any
 * address of the draft, and must decide the same as before about all others.
 */
export async function checkDraft({ files, options, scan }: DraftCheckInput, draft: Draft): Promise<Checked> {
  const loaded = await loadDeclared(withFiles(files, draft.files), options);
  if (loaded.kind === 'invalid')
    throw new HeraldError(
      'import-not-loadable',
      'The new files would not be valid, so nothing was written.',
      'This is a bug in Herald. Please report the lines above.',
      { details: { diagnostics: loaded.diagnostics } },
    );
  const { declared, placeOf } = loaded;
  const { known } = scan.facts;
  const objects = withoutSent(known.objects, draft.refreshed);
  const facts = { ...scan.facts, declared, placeOf, known: { ...known, objects } };
  const plan = buildPlan(facts);
  const earlier = summariseDecisions(scan.plan);
  const faults = new Map<string, string>();
  for (const [address, changes] of byAddress(plan)) {
    if (draft.addresses.has(address)) {
      const loud = changes.find((change) => !isQuiet(change));
      if (loud !== undefined) faults.set(address, describe(loud));
    } else if (changes.some(writes) && earlier.get(address) !== decisions(changes)) {
      faults.set(address, 'The decision about a declared resource would change.');
    }
  }
  for (const { severity, address, message } of plan.diagnostics)
    if (severity === 'error' && address !== undefined && draft.addresses.has(address))
      faults.set(address, `A policy blocks it: ${message}`);
  return { plan, facts, faults };
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
  const managed = changes.filter(({ action }) => action !== 'unmanaged');
  return groupBy(managed, ({ address }) => formatAddress(address));
}

function summariseDecisions(plan: Plan): ReadonlyMap<string, string> {
  return new Map([...byAddress(plan)].map(([address, changes]) => [address, decisions(changes)]));
}

function decisions(changes: readonly Change[]): string {
  return changes.map(({ action, live_id: id }) => `${action} ${id ?? ''}`).join(', ');
}

/** The columns of an object with an audience that a person has changed. A null would leave them as they are. */
export const FORGOTTEN = { hidden_digest: '', shown: JSON.stringify(NOTHING_SHOWN) } as const;

/** What the state knows of these objects once the import is recorded. */
function withoutSent(rows: readonly ObjectRow[], refreshed: readonly LiveObject[]): readonly ObjectRow[] {
  const changed = new Set(refreshed.filter((one) => one.changed).map(objectKey));
  const isChanged = ({ account_id: accountId, kind, live_id: liveId }: ObjectRow) =>
    changed.has(objectKey({ accountId, kind, liveId }));
  return rows.map((row) => (isChanged(row) ? { ...row, ...FORGOTTEN } : row));
}
