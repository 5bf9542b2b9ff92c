import type { DiagnosticCode } from '../domain/codes.ts';
import type { Allowance } from '../domain/allowance.ts';
import type {
  Change,
  ChangeKind,
  Dropped,
  FieldDifference,
  NewStep,
  ObjectStep,
  Step,
} from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { formatAddress, type Declared } from '../domain/resource.ts';
import type { Member } from './member.ts';
import { undoOf } from './undo.ts';

/** What the decision about one group came to. */
export interface Decision {
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The limits and permissions under which decisions are taken; the same for the whole plan. */
export interface Terms {
  /** The latest that it can be by the clocks that were heard, in epoch milliseconds. */
  readonly nowMs: number;
  /** How much earlier it may be. 0 if the clocks agree. */
  readonly clocksApartMs: number;
  readonly allow: ReadonlySet<Allowance>;
}

/** What a cell of a decision table sees. */
export interface Case<Resource extends Declared, Live extends Member> {
  readonly declared: Resource;
  readonly terms: Terms;
  /** Every live object of the name, lowest id first. */
  readonly group: readonly Live[];
  /** Those that the column is about, lowest id first. */
  readonly members: readonly Live[];
}

interface Parts {
  readonly member?: Member | null;
  readonly reasons?: readonly string[];
  readonly fields?: readonly FieldDifference[];
  readonly dropped?: readonly Dropped[];
  readonly steps?: readonly Step[];
}

export function only(...changes: readonly Change[]): Decision {
  return { changes, diagnostics: [] };
}

/** The same for all: most changes drop nothing. */
export const NOTHING_DROPPED: Change['dropped'] = [];

/** One change about the declared resource's address. */
export function change(declared: Declared, action: ChangeKind, parts: Parts = {}): Change {
  const steps = [...(parts.steps ?? [])];
  return {
    address: declared.address,
    action,
    live_id: parts.member?.id ?? null,
    reasons: [...(parts.reasons ?? [])],
    fields: [...(parts.fields ?? [])],
    dropped: parts.dropped === undefined || parts.dropped.length === 0 ? NOTHING_DROPPED : [...parts.dropped],
    steps,
    needs: [],
    ...undoOf(action, declared, steps),
  };
}

/**
 * The same change if all of its allowances are given. Otherwise a blocked one that names the change and the missing
 * allowances.
 */
export function unlessBlocked(terms: Terms, wanted: Change, needs: readonly Allowance[]): Change {
  const missing = needs.filter((need) => !terms.allow.has(need));
  if (missing.length > 0) {
    const reasons = [
      ...wanted.reasons,
      `With ${missing.map((need) => `--allow ${need}`).join(' and ')}, Herald would ${wanted.action} it.`,
    ];
    return { ...wanted, action: 'blocked', reasons, steps: [], needs: missing, reversible: true, undo: '' };
  }
  const allowed = needs.map((need) => `Allowed by --allow ${need}.`);
  return { ...wanted, reasons: [...wanted.reasons, ...allowed] };
}

/** A change that no allowance lets through: a person must change the files or the live state. */
export function blocked(declared: Declared, reason: string, member: Member | null = null): Change {
  return change(declared, 'blocked', { member, reasons: [reason], fields: fieldsOf(member) });
}

/** A step about a live object. */
export function step(kind: ObjectStep['kind'] | NewStep['kind'], member: Member): Step {
  return { kind, live_id: member.id };
}

/** A step about an object that does not exist yet. */
export function newStep(kind: NewStep['kind']): Step {
  return { kind, live_id: null };
}

/** `adopt` for the first write to an object that is not known as ours. */
export function adoptionOf(...members: readonly Member[]): readonly Allowance[] {
  return members.some((member) => !member.ours) ? ['adopt'] : [];
}

export function fieldsOf(member: Member | null): readonly FieldDifference[] {
  return member?.comparison.verdict === 'different' ? member.comparison.fields : [];
}

/** What a replace changes: the new version takes the file's value also where a difference is ignored. */
export function replacedFieldsOf(member: Member | null): readonly FieldDifference[] {
  return [...fieldsOf(member), ...ignoredOf(member)];
}

export function ignoredOf(member: Member | null): readonly FieldDifference[] {
  return member === null || member.comparison.verdict === 'unknowable' ? [] : member.comparison.ignored;
}

export function warning(declared: Declared, code: DiagnosticCode, message: string): Diagnostic {
  return { severity: 'warning', code, message, ...declared.source, address: formatAddress(declared.address) };
}

/** A note about fields that cannot be compared, on the member that stays or is replaced. They are never drift. */
export function unverifiable(declared: Declared, member: Member | null): readonly Diagnostic[] {
  if (member === null) return [];
  const fields = member.comparison.verdict === 'unknowable' ? [] : member.comparison.unverifiable;
  if (fields.length === 0) return [];
  const message = `${fields.join(', ')}: cannot be compared. The service does not show it, and the ledger does not have what was sent.`;
  return [{ ...warning(declared, 'unverifiable', message), severity: 'info' }];
}
