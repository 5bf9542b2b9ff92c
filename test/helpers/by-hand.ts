import { errorReportShape } from '../../src/domain/change.ts';
import type { BroadcastSeed, CampaignSeed } from '../../src/simulator/seed-shape.ts';
import { documentOf } from './flows.ts';
import { madeOnce } from './made-once.ts';
import { aScene, type Ran, type Scene } from './scene.ts';

/** A scene with one campaign 77 on alice that people made. */
export const withCampaign = madeOnce(async (seed: CampaignSeed = {}) => {
  const scene = aScene();
  await scene.service((control) => control.seedCampaign('101', { id: '77', name: 'Welcome', ...seed }));
  return scene;
});

/** A scene with one broadcast 55 on alice that people made. */
export const withBroadcast = madeOnce(async (seed: BroadcastSeed = {}) => {
  const scene = aScene();
  await scene.service((control) => control.seedBroadcast('101', { id: '55', name: 'Teaser', ...seed }));
  return scene;
});

/** Runs `herald campaigns pause 77 …` for alice with `--yes`, unless the words say otherwise. */
export function byHand(scene: Scene, ...words: string[]): Promise<Ran> {
  return scene.herald(...words, '--account', 'alice', '--yes');
}

/** Runs a command that is refused, as JSON checked against its shape. */
export async function refused(
  scene: Scene,
  ...words: string[]
): Promise<{ code: number; error: string; hint: string }> {
  const ran = await byHand(scene, ...words, '--format', 'json');
  const { code, message, hint } = documentOf(ran, errorReportShape);
  return { code: ran.code, error: `${code}: ${message}`, hint: hint ?? '' };
}
