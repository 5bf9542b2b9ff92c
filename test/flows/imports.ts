import type { z } from 'zod';
import { importReportShape } from '../../src/import/shape.ts';
import type { CampaignSeed } from '../../src/simulator/seed-shape.ts';
import { documentOf } from '../helpers/flows.ts';
import { aScene, WORKSPACE, type Ran, type Scene } from '../helpers/scene.ts';

/** A workspace that declares nothing yet; its `files:` are the usual ones. */
export const NOTHING_DECLARED = WORKSPACE.replace(/^files: .*\n/m, '');

export function anEmptyScene(files: Readonly<Record<string, string>> = {}): Scene {
  return aScene({ files: { 'herald.yaml': NOTHING_DECLARED, ...files } });
}

/** The same with campaigns on alice that people made. */
export async function aHandBuiltScene(...campaigns: readonly CampaignSeed[]): Promise<Scene> {
  const scene = anEmptyScene();
  await scene.service((control) => {
    for (const seed of campaigns) control.seedCampaign('101', seed);
  });
  return scene;
}

/** `import --format json`, checked against its shape. */
export async function imported(
  scene: Scene,
  ...flags: string[]
): Promise<{ ran: Ran; report: z.infer<typeof importReportShape> }> {
  const ran = await scene.herald('import', '--format', 'json', ...flags);
  return { ran, report: documentOf(ran, importReportShape) };
}

/** `archived alice/campaign/Old`, for everything that was left out. */
export function leftOut({ report }: { report: z.infer<typeof importReportShape> }): string[] {
  return report.left_out.map(({ code, account, kind, name }) => `${code} ${account}/${kind}/${name ?? ''}`);
}

/** The text of a file of the workspace; fails when there is none. */
export function fileOf(scene: Scene, path: string): string {
  const text = scene.files.tree[path];
  if (text === undefined) throw new Error(`no ${path} among ${Object.keys(scene.files.tree).join(', ')}`);
  return text;
}
