import { expect } from 'vitest';
import { z } from 'zod';
import { itemShape } from '../../src/cli/schemas.ts';
import {
  applyReportShape,
  errorReportShape,
  planShape,
  type ApplyReport,
  type Plan,
} from '../../src/domain/change.ts';
import { formatAddress } from '../../src/domain/resource.ts';
import { until, type FlowClock } from './flow-clock.ts';
import { aScene, type Ran, type Scene } from './scene.ts';

/** `plan --format json`, checked against its shape. */
export async function planned(scene: Scene, ...flags: string[]): Promise<{ code: number; plan: Plan }> {
  const ran = await scene.herald('plan', '--format', 'json', ...flags);
  return { code: ran.code, plan: documentOf(ran, planShape) };
}

/** `apply --yes --format json`, checked against its shape. */
export async function applied(
  scene: Scene,
  ...flags: string[]
): Promise<{ code: number; report: ApplyReport; stderr: string }> {
  const ran = await scene.herald('apply', '--yes', '--format', 'json', ...flags);
  return { code: ran.code, report: documentOf(ran, applyReportShape), stderr: ran.stderr };
}

/** The one document on stdout, checked against its shape; fails with everything that was said. */
export function documentOf<Shape extends z.ZodType>(
  { code, stdout, stderr }: Ran,
  shape: Shape,
): z.output<Shape> {
  try {
    return shape.parse(JSON.parse(stdout));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Error(
      `exit ${code}, stdout is not the document: ${problem}\n${stdout}\n--- stderr:\n${stderr}`,
    );
  }
}

/** The `item` of a run with `--format json`. */
export function itemOf(ran: Ran): Readonly<Record<string, unknown>> {
  return documentOf(ran, itemShape).item;
}

/** The error of a run with `--format json`. */
export function errorOf(ran: Ran): z.output<typeof errorReportShape> {
  return documentOf(ran, errorReportShape);
}

/** The run ended with this exit code, and these words are in its messages. */
export function expectEnd({ code, stderr }: Ran, exit: number, words: string | RegExp = ''): void {
  const said = typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words);
  expect([code, stderr]).toEqual([exit, said]);
}

/** A workspace of which everything is live. */
export async function standing(files: Readonly<Record<string, string>>): Promise<Scene> {
  const scene = aScene({ files });
  const { code, stderr } = await applied(scene);
  expect(code, stderr).toBe(0);
  return scene;
}

/** The next plan finds nothing to do and blocks nothing. */
export async function expectQuiet(scene: Scene, ...flags: readonly string[]): Promise<void> {
  const next = await planned(scene, '--detailed-exitcode', ...flags);
  expect(decisions(next).filter((line) => !/^(done|missed) /.test(line))).toEqual([]);
  expect(next.code).toBe(0);
}

/** `create alice/campaign/Welcome`, for every change that is no `keep`. */
export function decisions({ plan }: { readonly plan: Plan }): string[] {
  return plan.changes
    .filter(({ action }) => action !== 'keep')
    .map(({ action, address }) => `${action} ${formatAddress(address)}`);
}

/** `create applied`, for every outcome that is not `unchanged`. */
export function outcomes({ report }: { readonly report: ApplyReport }): string[] {
  return report.outcomes
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ action, outcome }) => `${action} ${outcome}`);
}

export function messages({ report }: { readonly report: ApplyReport }): string {
  return report.outcomes.map(({ message }) => message).join('\n');
}

/** Everything on the account, oldest first. */
export function liveOn(scene: Scene, accountId: string, kind: 'campaign' | 'broadcast') {
  return scene.look((control, world) => {
    control.now();
    const account = world.accounts[accountId];
    if (account === undefined) throw new Error(`no account ${accountId}`);
    const all = Object.values(kind === 'campaign' ? account.campaigns : account.broadcasts);
    return all
      .map(({ live }) => ({
        id: live.id,
        name: live.name,
        status: live.status,
        text: live.messages[0]?.text ?? null,
      }))
      .sort((left, right) => (BigInt(left.id) < BigInt(right.id) ? -1 : 1));
  });
}

/** Someone edits an object on the service: the newest one, or the newest of that name. */
export async function editLive(
  scene: Scene,
  kind: 'campaign' | 'broadcast',
  set: object,
  name?: string,
  accountId = '101',
): Promise<void> {
  const all = await liveOn(scene, accountId, kind);
  const found = all.findLast((one) => name === undefined || one.name === name);
  await scene.service((control) => control.edit({ account_id: accountId, kind, id: found?.id ?? '', set }));
}

/** `active`, `paused`, …: what became of every object of the account, oldest first. */
export async function statuses(
  scene: Scene,
  kind: 'campaign' | 'broadcast',
  accountId = '101',
): Promise<(string | null)[]> {
  return (await liveOn(scene, accountId, kind)).map(({ status }) => status);
}

/** Requests that may change something, as `POST campaigns.create`. */
export async function writesSent(scene: Scene): Promise<string[]> {
  const { requests } = await scene.oracle();
  return requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, operation }) => `${method} ${operation ?? '?'}`);
}

/** How many creates reached the service, answered or not. */
export async function createsSent(scene: Scene): Promise<number> {
  return (await writesSent(scene)).filter((request) => request.endsWith('.create')).length;
}

/** Lets an apply, or another run, go on until it would write so to the state (`begin`, `end`), and kills it there. */
export function dieBefore(
  scene: Scene,
  isLast: (what: string) => boolean,
  args: readonly string[] = ['apply', '--yes'],
): Promise<void> {
  return dieAt(scene, args, (what) => (isLast(what) ? 'frozen' : 'done'));
}

/** Lets a run go on until the state has the begin or the end of a request, and kills it there. */
export function dieAfter(
  scene: Scene,
  last: 'begin' | 'end',
  args: readonly string[],
  clock?: FlowClock,
): Promise<void> {
  return dieAt(scene, args, (what) => (what === last ? 'frozen after' : 'done'), clock);
}

/** Interrupts a run each time the state has the begin or the end of a request, and waits for its end. */
export function interruptAfter(scene: Scene, when: 'begin' | 'end', args: readonly string[]): Promise<Ran> {
  const onRecord = (what: string) => {
    if (what === when) run.interrupt();
    return 'done' as const;
  };
  const run = scene.startAs({ onRecord }, ...args);
  return run.ran;
}

async function dieAt(
  scene: Scene,
  args: readonly string[],
  decide: (what: string) => 'done' | 'frozen' | 'frozen after',
  clock = scene.clock,
): Promise<void> {
  let isOver = false;
  const onRecord = (what: string) => {
    const fate = isOver ? 'frozen' : decide(what);
    isOver ||= fate !== 'done';
    if (fate === 'frozen') run.kill();
    return fate;
  };
  const run = scene.startAs({ clock, onRecord }, ...args);
  void run.ran.then(() => (isOver = true));
  await until(() => isOver);
  run.kill();
}

/** A lease that nothing refers to is given back when memory is collected. */
const held = new Set<{ close(): Promise<void> }>();

/** Another process takes the lease of the workspace. Returns what gives it back. */
export async function holdLease({ state, clock, files }: Scene): Promise<() => Promise<void>> {
  const identity = { run: 'other', who: 'other' };
  const process = 'process 4711 on this-machine';
  const { access } = state.access({ clock, files, env: {}, identity, process });
  const lease = await access.take(
    { service: () => 'live' },
    {
      lockTimeoutMs: 0,
      report: () => undefined,
      command: 'apply',
    },
  );
  held.add(lease);
  return () => {
    held.delete(lease);
    return lease.close();
  };
}
