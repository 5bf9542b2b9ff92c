import { z } from 'zod';
import { errorReportShape } from '../../src/domain/change.ts';
import { documentOf } from './flows.ts';
import type { RequestRow } from '../../src/state/shapes.ts';
import type { Scene } from './scene.ts';

const itemShape = z.strictObject({
  schema: z.literal('herald/item/1'),
  item: z.record(z.string(), z.unknown()),
});

/** A request of 100.10 for alice, unless the flags say otherwise. */
function ask(scene: Scene, flags: readonly string[]) {
  const usual = { '--account': 'alice', '--amount': '100.10', '--format': 'json' };
  const left = Object.entries(usual).flatMap((pair) => (flags.includes(pair[0]) ? [] : pair));
  return scene.herald('payouts', 'request', '--yes', ...left, ...flags);
}

/** A payout that ends with an item. */
export async function payout(scene: Scene, ...flags: readonly string[]) {
  const ran = await ask(scene, flags);
  return { ...ran, item: documentOf(ran, itemShape).item };
}

/** A payout that ends with an error of this exit code. */
export async function refusedPayout(scene: Scene, code: number, ...flags: readonly string[]) {
  const ran = await ask(scene, flags);
  const error = documentOf(ran, errorReportShape);
  if (ran.code !== code) throw new Error(`exit ${ran.code} instead of ${code}: ${ran.stdout}${ran.stderr}`);
  return error;
}

/** What alice has really asked for, oldest first. */
export async function committed(scene: Scene) {
  return (await scene.oracle()).payouts['101']?.committed ?? [];
}

/** The same in cents, without what was rejected. */
export async function paidOut(scene: Scene): Promise<number[]> {
  return (await committed(scene))
    .filter(({ state }) => state !== 'rejected')
    .map(({ amount }) => Math.round(amount * 100));
}

/** When requests arrived, in seconds, answered or not; a 429 is not an execution. */
export async function requestTimes(scene: Scene): Promise<number[]> {
  const { requests } = await scene.oracle();
  return requests
    .filter(({ operation, status }) => operation === 'payouts.request' && status !== 429)
    .map(({ at }) => Date.parse(at) / 1000);
}

/** The last request on record. */
export async function lastRequest(scene: Scene): Promise<RequestRow | undefined> {
  return (await scene.requests()).at(-1);
}
