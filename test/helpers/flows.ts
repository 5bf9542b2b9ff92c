import { z } from 'zod';
import { applyReportShape, planShape, type ApplyReport, type Plan } from '../../src/domain/change.ts';
import { formatAddress } from '../../src/domain/resource.ts';
import type { Ran, Scene } from './scene.ts';

/** One live object, as far as flows ask about it. */
export interface LiveObject {
  readonly id: string;
  readonly name: string | null;
  readonly status: string | null;
  readonly text: string | null;
}

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
export function liveOn(
  scene: Scene,
  accountId: string,
  kind: 'campaign' | 'broadcast',
): Promise<LiveObject[]> {
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

/** The most often that any fan got the same words; 0 when no one got anything. */
export async function worstDispatch(scene: Scene): Promise<number> {
  const { dispatch_counts: counts } = await scene.oracle();
  return Math.max(0, ...counts.map(({ count }) => count));
}

/** Lets an apply go on until it would write to the state for the nth time, and kills it there; a shorter one ends. */
export function dieAtWrite(scene: Scene, last: number): Promise<void> {
  let writes = 0;
  return dieBefore(scene, () => (writes += 1) >= last);
}

/** Lets an apply, or another run, go on until it would write so to the state (`begin`, `end`), and kills it there. */
export async function dieBefore(
  scene: Scene,
  isLast: (what: string) => boolean,
  args: readonly string[] = ['apply', '--yes'],
): Promise<void> {
  let isOver = false;
  const run = scene.startAs(
    {
      onRecord: (what) => {
        isOver ||= isLast(what);
        if (!isOver) return 'done';
        run.kill();
        return 'frozen';
      },
    },
    ...args,
  );
  void run.ran.then(() => (isOver = true));
  while (!isOver) await new Promise((resolve) => setImmediate(resolve));
}

/** The next create takes effect a minute later, and its answer is lost. */
async function loseNextCreate(scene: Scene): Promise<void> {
  await scene.fault({
    kind: 'late_commit',
    operation: 'campaigns.create',
    after_sec: 60,
    how: 'reset',
    nth: 1,
  });
}

/** A create that takes effect a minute later, and the process dies while it waits for that. */
export async function dieWithLateCreate(scene: Scene): Promise<void> {
  await loseNextCreate(scene);
  const run = scene.start('apply', '--yes');
  const beganMs = scene.clock.now();
  let isOver = false;
  void run.ran.then(() => (isOver = true));
  while (!isOver && ((await createsSent(scene)) === 0 || scene.clock.now() < beganMs + 5_000))
    await new Promise((resolve) => setImmediate(resolve));
  run.kill();
}
