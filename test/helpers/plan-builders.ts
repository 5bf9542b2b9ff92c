import { CHANGE_KINDS, WRITING_KINDS } from '../../src/domain/change-kinds.ts';
import {
  OUTCOMES,
  type ApplyReport,
  type Change,
  type ChangeKind,
  type Outcome,
  type Plan,
} from '../../src/domain/change.ts';
import type { Address } from '../../src/domain/resource.ts';

/** The service that test plans are made for. */
export const A_SERVICE: Plan['service'] = {
  origin: 'https://api.example',
  source: 'herald.yaml',
  simulator: false,
};

type AddressParts = Partial<Address>;

const DEFAULT_ADDRESS: Address = { account: 'alice', kind: 'campaign', name: 'Welcome series' };

/** A change with defaults; `account`, `kind` and `name` stand next to its own members. */
export function aChange(parts: Partial<Omit<Change, 'address'>> & AddressParts = {}): Change {
  const { account, kind, name, ...rest } = parts;
  const action = rest.action ?? 'create';
  const writes = (WRITING_KINDS as readonly ChangeKind[]).includes(action);
  return {
    address: anAddress({ account, kind, name }),
    action,
    live_id: action === 'create' || action === 'missed' ? null : '4711',
    reasons: [],
    fields: [],
    dropped: [],
    steps: [],
    needs: [],
    reversible: action !== 'recall',
    undo: writes ? 'pause it' : '',
    ...rest,
  };
}

/** A plan of these changes, with the summary that belongs to them. */
export function aPlan(
  changes: readonly Change[],
  parts: Partial<Pick<Plan, 'service' | 'diagnostics' | 'eta_sec' | 'variables'>> = {},
): Plan {
  const summary = Object.fromEntries(
    CHANGE_KINDS.map((kind) => [kind, changes.filter(({ action }) => action === kind).length]),
  ) as Plan['summary'];
  const diagnostics: Plan['diagnostics'] = [];
  return {
    schema: 'herald/plan/1',
    service: A_SERVICE,
    changes: [...changes],
    summary,
    diagnostics,
    eta_sec: 4,
    ...parts,
  };
}

/** An outcome with defaults; `account`, `kind` and `name` stand next to its own members. */
export function anOutcome(parts: Partial<Omit<Outcome, 'address'>> & AddressParts = {}): Outcome {
  const { account, kind, name, ...rest } = parts;
  return {
    address: anAddress({ account, kind, name }),
    action: 'create',
    outcome: 'applied',
    live_id: '4711',
    message: '',
    ...rest,
  };
}

/** A report of these outcomes, with the summary that belongs to them. */
export function aReport(outcomes: readonly Outcome[]): ApplyReport {
  const summary = Object.fromEntries(
    OUTCOMES.map((kind) => [kind, outcomes.filter(({ outcome }) => outcome === kind).length]),
  ) as ApplyReport['summary'];
  return { schema: 'herald/apply/1', outcomes: [...outcomes], summary };
}

function anAddress({ account, kind, name }: { [Key in keyof Address]: Address[Key] | undefined }): Address {
  return {
    account: account ?? DEFAULT_ADDRESS.account,
    kind: kind ?? DEFAULT_ADDRESS.kind,
    name: name ?? DEFAULT_ADDRESS.name,
  };
}
