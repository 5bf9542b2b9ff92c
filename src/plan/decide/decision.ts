import type { Allowance } from '../../domain/allowance.ts';
import type {
  Change,
  ChangeKind,
  FieldDifference,
  NewStep,
  ObjectStep,
  Step,
  StepKind,
} from '../../domain/change.ts';
import type { DiagnosticCode } from '../../domain/codes.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { digest } from '../../domain/digest.ts';
import { formatAddress, type Declared } from '../../domain/resource.ts';
import type { PlanFacts } from '../facts.ts';
import type { Version } from './group.ts';
import { describeUndo } from './undo.ts';

/** The decision about one name. */
export interface Decision {
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

export function only(...changes: readonly Change[]): Decision {
  return { changes, diagnostics: [] };
}

interface Parts {
  readonly version?: Version | null;
  readonly reasons?: readonly string[];
  readonly fields?: readonly FieldDifference[];
  readonly steps?: readonly Step[];
}

/** One change about the declared resource's address. */
export function change(declared: Declared, action: ChangeKind, parts: Parts = {}): Change {
  const steps = [...(parts.steps ?? [])];
  return {
    address: declared.address,
    action,
    live_id: parts.version?.id ?? null,
    reasons: [...(parts.reasons ?? [])],
    fields: [...(parts.fields ?? [])],
    dropped: [],
    steps,
    needs: [],
    ...describeUndo(action, declared.kind, steps),
  };
}

/**
 * A change as it was decided if all of its allowances are given. Otherwise a blocked one that names the change and the missing
 * allowances.
 */
export function unlessBlocked(
  { allow }: Pick<PlanFacts, 'allow'>,
  wanted: Change,
  needs: readonly Allowance[],
): Change {
  const missing = needs.filter((need) => !allow.has(need));
  if (missing.length > 0) return needAllowances(wanted, missing, wanted.reasons);
  const allowed = needs.map((need) => `Allowed by --allow ${need}.`);
  return { ...wanted, reasons: [...wanted.reasons, ...allowed] };
}

/** A blocked change that names the missing allowances, and what Herald would do with them. */
export function needAllowances(
  wanted: Change,
  needs: readonly Allowance[],
  reasons: readonly string[],
): Change {
  const flags = needs.map((need) => `--allow ${need}`).join(' and ');
  const would = wanted.action === 'blocked' ? 'start' : wanted.action;
  const words = [...reasons, `With ${flags}, Herald would ${would} it.`];
  return { ...blockChange(wanted, ''), reasons: words, needs: [...needs] };
}

/** A change that no allowance lets through: a person must change the files or the live state. */
export function blocked(declared: Declared, reason: string, version: Version | null = null): Change {
  return change(declared, 'blocked', { version, reasons: [reason], fields: listDifferences(version) });
}

/** Holds a change back, and says why. */
export function blockChange(wanted: Change, reason: string): Change {
  return {
    ...wanted,
    action: 'blocked',
    reasons: [reason],
    steps: [],
    needs: [],
    reversible: true,
    undo: '',
  };
}

/** A step about a live object. */
export function step(kind: ObjectStep['kind'] | NewStep['kind'], { id }: { readonly id: string }): Step {
  return { kind, live_id: id };
}

/** The steps of every create. */
export const CREATE: readonly NewStep[] = [
  { kind: 'create', live_id: null },
  { kind: 'read_back', live_id: null },
];

/** Steps that start sending. */
const STARTING: readonly StepKind[] = ['create', 'activate', 'reactivate', 'resume'];

/** Whether a change may make something send. */
export function starts({ steps }: Pick<Change, 'steps'>): boolean {
  return steps.some(({ kind }) => STARTING.includes(kind));
}

/** Ids of the existing objects that a change starts. */
export function startedBy({ steps }: Pick<Change, 'steps'>): readonly string[] {
  return steps.flatMap(({ kind, live_id: id }) => (id !== null && STARTING.includes(kind) ? [id] : []));
}

/** `adopt` for the first write to an object that is not known as ours. */
export function requireAdoption(...versions: readonly Version[]): readonly Allowance[] {
  return versions.some(({ ours }) => !ours) ? ['adopt'] : [];
}

export function listDifferences(version: Version | null): readonly FieldDifference[] {
  return version?.comparison.verdict === 'different' ? version.comparison.fields : [];
}

/** What a replace changes: the new version takes the file's value also where a difference is ignored. */
export function listReplacedFields(version: Version | null): readonly FieldDifference[] {
  return [...listDifferences(version), ...listIgnored(version)];
}

export function listIgnored(version: Version | null): readonly FieldDifference[] {
  return version === null || version.comparison.verdict === 'unknowable' ? [] : version.comparison.ignored;
}

/** For the column `replaced_for`: the live difference of a replace, with what the file says instead. */
export function digestDifference(fields: readonly FieldDifference[]): string {
  return digest(fields.map(({ path, old, new: wanted }) => [path, old ?? null, wanted ?? null]));
}

export function warning(
  declared: Declared,
  code: DiagnosticCode,
  message: string,
  severity: Diagnostic['severity'] = 'warning',
): Diagnostic {
  return { severity, code, message, ...declared.source, address: formatAddress(declared.address) };
}
