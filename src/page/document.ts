import type { Allowance } from '../domain/change-kinds.ts';
import type { Change, ChangeKind, Deadline, DeadlineKind, Plan, PlannedContent } from '../domain/change.ts';
import { ARCHIVED_AFTER_MS, RESUME_WINDOW_MS } from '../domain/content.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';
import { formatInstant } from '../domain/time.ts';
import type { Policy, WorkspaceSettings } from '../domain/workspace.ts';
import { indexSubjects, type PlanFacts } from '../plan/facts.ts';
import { bannedWords, quietHours, readSetting } from '../policy/rules.ts';

/** A broadcast can be recalled for 24 hours after the last change of its status (BROADCAST-20). */
const RECALL_WINDOW_MS = 86_400_000;

export interface Circumstances {
  readonly workspace: string | null;
  readonly who: string;
  readonly toolVersion?: string;
  /** `owner/name:folder` for each remote of git. Empty or missing where git does not tell. */
  readonly repository?: readonly string[];
  readonly commit: Plan['commit'] | null;
  readonly flags: ReadonlySet<Allowance>;
}

interface Described extends Circumstances, Pick<PlanFacts, 'declared' | 'observed' | 'known' | 'past'> {
  /** Whether the plan tells what the files declare. */
  readonly contents: boolean;
  readonly settings: Pick<WorkspaceSettings, 'accounts' | 'allow' | 'policy' | 'service'>;
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
}

type Subject = ReturnType<ReturnType<typeof indexSubjects>> & { readonly change: Change };

/** Adds to a plan what a person needs to review it without the files. Its decisions stay as they are. */
export function describePlan(plan: Plan, input: Described): Plan {
  const { settings, nowMs, workspace, who, commit, flags, toolVersion, repository = [] } = input;
  const findSubject = indexSubjects(input);
  const subjects = plan.changes.map((one): Subject => ({ change: one, ...findSubject(one) }));
  const contents = input.contents ? collectContents(subjects) : null;
  const changes = subjects.map(({ change: one, declared, object }) => {
    const content = declared === undefined ? undefined : contents?.indexes.get(declared);
    const at = readHour(object);
    if (content === undefined && at === undefined) return one;
    // Not by a spread, with which each change gets a hidden class of its own in V8.
    return Object.assign({}, one, { content, scheduled_at: at });
  });
  return {
    ...plan,
    changes,
    workspace: workspace ?? undefined,
    planned_at: formatInstant(nowMs),
    who,
    tool_version: toolVersion,
    repository: repository.length === 0 ? undefined : [...repository],
    commit: commit ?? undefined,
    allowed: [...new Set([...flags, ...settings.allow])]
      .toSorted()
      .map((name) => ({ name, from: settings.allow.includes(name) ? 'herald.yaml' : 'flag' })),
    accounts: settings.accounts.map(({ alias }) => alias),
    deadlines: listDeadlines(subjects, input),
    contents: contents?.contents,
    variables: contents?.variables,
    policy: shownPolicy(settings.policy),
  };
}

/** The policies that a preview and a calendar show, in the words of `herald.yaml`. */
function shownPolicy(policy: Policy): Plan['policy'] {
  const [quiet, banned] = [readSetting(quietHours, policy), readSetting(bannedWords, policy)];
  return {
    ...(quiet === null ? {} : { quiet_hours: { from: quiet.from, to: quiet.to, timezone: quiet.timezone } }),
    ...(banned === null ? {} : { banned_words: [...banned.words] }),
  };
}

/** Undefined for a campaign, and after a broadcast was sent: the service does not show its hour any more. */
function readHour(observed: Observed | undefined): string | undefined {
  if (observed?.kind !== 'broadcast') return undefined;
  const at = Date.parse(observed.live.scheduled_at ?? '');
  return Number.isNaN(at) ? undefined : formatInstant(at);
}

/** What the files declare, once for all accounts of a resource, and the variables that it names, by account. */
function collectContents(subjects: readonly Subject[]) {
  const contents: PlannedContent[] = [];
  // Without a prototype: an account may be called `constructor`.
  const variables = Object.create(null) as Record<string, Record<string, string>>;
  const indexes = new Map<Declared, number>();
  const declared = new Set(subjects.flatMap((subject) => subject.declared ?? []));
  const byPlace = groupBy(declared, ({ source }) => `${source.file}\n${source.line}\n${source.column}`);
  for (const [first, ...others] of byPlace.values()) {
    if (first === undefined) continue;
    const content = planContent(first);
    const names = first.written === undefined ? [] : listVariables(content);
    for (const one of [first, ...others]) {
      indexes.set(one, contents.length);
      for (const name of names) {
        const value = one.written?.variables.get(name);
        if (value !== undefined) (variables[one.address.account] ??= {})[name] = value;
      }
    }
    contents.push(content);
  }
  return { contents, variables, indexes };
}

function planContent(declared: Declared): PlannedContent {
  const { kind, address, source, target, timezone, content, written } = declared;
  return {
    kind,
    name: address.name,
    file: source.file,
    line: source.line,
    status: target,
    timezone,
    ...(declared.kind === 'broadcast'
      ? { scheduled_at: declared.scheduledAtUtc }
      : { trigger: declared.content.trigger, action: declared.content.action }),
    rules: content.rules === undefined ? undefined : { ...content.rules },
    audience_filters: [...(written?.audience_filters ?? content.audience_filters)],
    messages: (written?.messages ?? content.messages).map(({ attachments, ...message }) => ({
      ...message,
      attachments: attachments?.map((one) => ({
        type: one.type,
        is_paid: one.is_paid,
        id: 'id' in one ? one.id : undefined,
        file: one.file?.path,
        size: one.file?.size,
      })),
    })),
  };
}

function listVariables({ audience_filters: filters, messages }: PlannedContent): readonly string[] {
  const text = JSON.stringify([filters, messages]);
  return [...new Set([...text.matchAll(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/g)].map(([, name]) => name ?? ''))];
}

/** After these, a pause does not matter any more. */
const STOPPED_FOR_GOOD: readonly ChangeKind[] = ['archive', 'recall', 'retire', 'unmanaged'];

/**
 * What happens by itself to the resources of a plan, and when. Past times are left out.
 *
 * | deadline      | of                                                | at                                    |
 * |---------------|---------------------------------------------------|---------------------------------------|
 * | `sends`       | a broadcast that the plan creates, moves, resumes | its declared time                     |
 * | `recall_ends` | a broadcast that the plan recalls                 | a day after its time (BROADCAST-20)   |
 * | `archived`    | a campaign that Herald paused                     | 7 days after its pause (CAMPAIGN-9)   |
 * | `resume_ends` | a broadcast that Herald paused before its time    | 5 days after its pause (BROADCAST-17) |
 */
function listDeadlines(
  subjects: readonly Subject[],
  { past, nowMs }: Pick<Described, 'past' | 'nowMs'>,
): Deadline[] {
  const found = new Map<string, Deadline>();
  for (const subject of subjects) {
    const { account, kind, name } = subject.change.address;
    for (const [what, atMs] of listDue(subject, past)) {
      if (!(atMs > nowMs)) continue;
      const at = formatInstant(atMs);
      const key = [at, kind, name, what].join('\0');
      const accounts = found.get(key)?.accounts ?? [];
      found.set(key, { at, what, kind, name, accounts: [...new Set([...accounts, account])] });
    }
  }
  return [...found].toSorted(([left], [right]) => compareText(left, right)).map(([, deadline]) => deadline);
}

/** Their times in epoch milliseconds; NaN for an hour that cannot be read. */
function listDue(
  { change: one, declared, object, row }: Subject,
  past: PlanFacts['past'],
): [DeadlineKind, number][] {
  const due: [DeadlineKind, number][] = [];
  if (declared?.kind === 'broadcast') {
    const sendsAtMs = Date.parse(declared.scheduledAtUtc);
    if (['create', 'replace', 'resume'].includes(one.action)) due.push(['sends', sendsAtMs]);
    if (one.action === 'recall') due.push(['recall_ends', sendsAtMs + RECALL_WINDOW_MS]);
  }
  const isOwnPause = row?.status_set === 'paused' && row.status_by === 'apply';
  if (!isOwnPause || object === undefined || !isPaused(object.live)) return due;
  const pausedAtMs = past?.statusTimes.get(row.status_seq);
  if (pausedAtMs === undefined || STOPPED_FOR_GOOD.includes(one.action)) return due;
  if (object.kind === 'campaign') due.push(['archived', pausedAtMs + ARCHIVED_AFTER_MS]);
  else due.push(['resume_ends', pausedAtMs + RESUME_WINDOW_MS]);
  return due;
}
