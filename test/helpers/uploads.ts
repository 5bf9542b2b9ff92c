import { createHash } from 'node:crypto';
import { z } from 'zod';
import { UPLOAD_OUTCOMES } from '../../src/acts/upload/records.ts';
import { documentOf } from './flows.ts';
import { JPEG, mediaOf } from './media.ts';
import type { Ran, Scene } from './scene.ts';
import type { VaultTruth } from '../../src/simulator/control.ts';

const documentShape = z.strictObject({
  schema: z.literal('herald/list/1'),
  items: z.array(
    z.looseObject({
      file: z.string(),
      outcome: z.enum(UPLOAD_OUTCOMES),
      media_id: z.string().nullable(),
      upload_id: z.string().nullable(),
      status: z.string().nullable(),
      message: z.string(),
    }),
  ),
  complete: z.literal(true),
});
export type UploadItem = z.output<typeof documentShape>['items'][number];

export const HELLO = mediaOf(JPEG, 10_000);
export const UPLOAD = ['vault', 'upload', 'hello.jpg', '--account', 'alice', '--format', 'json'] as const;

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** What the command printed, checked against its shape. */
export function uploadsIn(ran: Ran): readonly UploadItem[] {
  return documentOf(ran, documentShape).items;
}

/** `hello.jpg` uploaded for alice, with its one item. */
export async function uploaded(
  scene: Scene,
  ...flags: readonly string[]
): Promise<Ran & { item: UploadItem }> {
  const ran = await scene.herald(...UPLOAD, ...flags);
  const [item] = uploadsIn(ran);
  if (item === undefined) throw new Error('the document names no file');
  return { ...ran, item };
}

/** What is really in alice's vault, and what the store saw. */
export async function vaultOf(scene: Scene): Promise<VaultTruth & { puts: number; keysSeen: number }> {
  const { vaults, storage } = await scene.oracle();
  const vault = vaults['101'];
  if (vault === undefined) throw new Error('alice has no vault');
  return {
    ...vault,
    puts: storage.puts.length,
    keysSeen: storage.puts.filter((put) => put.auth_header_seen).length,
  };
}

/** How often each upload call reached the service, e.g. `start 1, export 2`. */
export async function callsOf(scene: Scene): Promise<string> {
  const { requests } = await scene.oracle();
  const count = (name: string) =>
    requests.filter(({ operation }) => operation === `vault.upload-${name}`).length;
  return ['start', 'finish', 'export']
    .map((name) => [name, count(name)] as const)
    .filter(([, times]) => times > 0)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
}
