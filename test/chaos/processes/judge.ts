import type { Pool } from 'pg';
import type { World } from '../../../src/simulator/world.ts';
import type { CommitRecord } from '../../../src/simulator/records.ts';
import { violationsOf, type Violation } from '../violation.ts';
import { wordsOf } from './declaration.ts';
import type { EndedRun, Played } from './play.ts';
import { ACCOUNT_IDS, RESOURCES, type ProcessScenario } from './shape.ts';
import { senderOf } from './test-bed.ts';

/** Everything that a scenario broke, as the service and the database know it. */
export async function judgeProcesses(
  world: World,
  scenario: ProcessScenario,
  played: Played,
  database: Pool | null,
): Promise<readonly Violation[]> {
  const all = [...played.runs, ...played.last];
  return [
    ...violationsOf('duplicate', createdTwice(world)),
    ...violationsOf('loss', lost(world, scenario, played)),
    ...violationsOf(
      'false report',
      all.flatMap((run) => falseReports(world, run)),
    ),
    ...violationsOf('forbidden write', [
      ...played.runs.flatMap((run) => staleWrites(world, run)),
      ...(database === null ? [] : await staleRecords(database)),
    ]),
    ...violationsOf('bug', all.flatMap(bugs)),
  ];
}

interface Live {
  readonly accountId: string;
  readonly kind: 'campaign' | 'broadcast';
  readonly id: string;
  readonly name: string;
  readonly status: string | null;
  readonly text: string;
}

function liveOf({ accounts }: World): readonly Live[] {
  return Object.entries(accounts).flatMap(([accountId, { campaigns, broadcasts }]) =>
    [
      ...Object.values(campaigns).map(({ live }) => ({ live, kind: 'campaign' as const })),
      ...Object.values(broadcasts).map(({ live }) => ({ live, kind: 'broadcast' as const })),
    ].map(({ live, kind }) => ({
      accountId,
      kind,
      id: live.id,
      name: live.name ?? '',
      status: live.status,
      text: live.messages[0]?.text ?? '',
    })),
  );
}

/** No version goes back to earlier words, so nothing is created twice with the same. */
function createdTwice(world: World): string[] {
  const times = new Map<string, string[]>();
  for (const { accountId, kind, id, name, text } of liveOf(world)) {
    const key = `${kind} "${name}" of ${accountId} that says "${text}"`;
    times.set(key, [...(times.get(key) ?? []), id]);
  }
  return [...times].flatMap(([key, ids]) =>
    ids.length > 1 ? [`${key} was created ${ids.length} times: ${ids.join(', ')}`] : [],
  );
}

const RUNNING = ['active', 'scheduled', 'queued', 'sending'];

/** In the end each resource is there once, as the last version has it. */
function lost(world: World, { rounds }: ProcessScenario, { isQuiet, last }: Played): string[] {
  if (!isQuiet) return [`nothing came to rest: ${last.map(endWords).join('; ')}`];
  const live = liveOf(world);
  return RESOURCES.flatMap(({ kind, name, accounts }) =>
    accounts.flatMap((alias) => {
      const { words = 0, isPaused = false } = rounds.at(-1)?.versions[name] ?? {};
      const own = live.filter(
        (one) => one.accountId === ACCOUNT_IDS[alias] && one.kind === kind && one.name === name,
      );
      const running = own.filter(({ status }) => RUNNING.includes(status ?? ''));
      const said = running.map(({ text }) => text).join(', ');
      if (isPaused) return running.length === 0 ? [] : [`${alias}/${name} is paused and still runs: ${said}`];
      return running.length === 1 && said === wordsOf(name, words)
        ? []
        : [`${alias}/${name} should say "${wordsOf(name, words)}" once, and runs as: ${said || 'nothing'}`];
    }),
  );
}

function endWords({ code, errorCode, stderr }: EndedRun): string {
  return [`exit ${code}`, errorCode, stderr].filter((part) => part !== null && part !== '').join(' ');
}

/** The creates that a process asked for, and that were carried out. */
function createsOf(
  { commits, requests }: World,
  { process, requests: { from, to } }: EndedRun,
): readonly CommitRecord[] {
  return commits.filter(({ change, cause: { request } }) => {
    if (change !== 'create' || request === null || request <= from || request > to) return false;
    const record = requests[request - 1];
    return record !== undefined && senderOf(record) === process;
  });
}

/** What a process says of itself against what the service did for it. */
function falseReports(world: World, run: EndedRun): string[] {
  const { code, report, process, round, stderr } = run;
  if (code === null) return [];
  const who = `process ${process} in round ${round + 1} (exit ${code})`;
  const made = createsOf(world, run);
  const known = new Set(liveOf(world).map(({ id }) => id));
  const outcomes = report?.outcomes ?? [];
  const words: string[] = [];
  for (const { outcome, live_id: id, address } of outcomes) {
    const isSure = outcome === 'applied' || outcome === 'adopted' || outcome === 'unchanged';
    if (isSure && id !== null && !known.has(id))
      words.push(`${who} says that ${address.name} is ${outcome} as ${id}, which was never there`);
    if (code === 0 && (outcome === 'unknown' || outcome === 'failed'))
      words.push(`${who} says that ${address.name} is ${outcome}`);
  }
  for (const { id, name } of made) {
    const isTold = outcomes.some(
      ({ live_id: told, address, outcome, message }) =>
        told === id || message.includes(id) || (address.name === name && outcome === 'unknown'),
    );
    if (!isTold) words.push(`${who} does not mention that it created ${name ?? ''} ${id}: ${stderr.trim()}`);
  }
  if (code === 1 && made.length > 0)
    words.push(`${who} says that nothing was changed, and created ${made.length}`);
  if (code === 0 && /error: (?:ledger-incomplete|lease-lost)/.test(stderr))
    words.push(`${who} ends well without its lease, or with lines that are missing`);
  return words;
}

/** After a pause that was longer than its lease, a process sends nothing more. */
function staleWrites(
  { requests }: World,
  { process, staleSinceMs, requests: { from, to } }: EndedRun,
): string[] {
  if (staleSinceMs === null) return [];
  return requests
    .slice(from, to)
    .filter(
      (request) =>
        request.method !== 'GET' && senderOf(request) === process && Date.parse(request.at) >= staleSinceMs,
    )
    .map(({ method, path }) => `process ${process} sent ${method} ${path} after it had lost its lease`);
}

/** Lines of a holder stand before all lines of the next one. */
async function staleRecords(database: Pool): Promise<string[]> {
  const { rows } = await database.query<{ fence: string; before: string; line: string }>(
    `SELECT * FROM (
       SELECT fence, max(fence) OVER (ORDER BY epoch, position) AS before, line FROM herald.ledger_lines
     ) AS lines WHERE fence < before`,
  );
  return rows.map(
    ({ fence, before, line }) => `holder ${fence} added a line after holder ${before}: ${line}`,
  );
}

/** Exit codes that a person can do something with, and no stack. */
const EXITS = [0, 1, 3, 4, 5, null];

function bugs({ code, process, round, stderr }: EndedRun): string[] {
  const isBug = !EXITS.includes(code) || /\n\s+at |bug in Herald/.test(stderr);
  return isBug ? [`process ${process} in round ${round + 1}, exit ${code}: ${stderr}`] : [];
}
