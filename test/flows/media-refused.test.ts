import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, messages, outcomes } from '../helpers/flows.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';

afterEach(() => vi.unstubAllGlobals());

const NAMES = ['A', 'B', 'C'];
const FILES = declaring({
  campaigns: [
    ...NAMES.map((name) =>
      campaign({ name, messages: [{ text: name, attachments: [{ file: `${name}.jpg` }] }] }),
    ),
    campaign({ name: 'Z' }),
  ],
});

const refusing = (status: number, body: object) => {
  const made = altered(
    (request, answer) =>
      request.url.endsWith('/uploads/start') ? Promise.resolve(Response.json(body, { status })) : answer(),
    { files: FILES },
  );
  for (const [index, name] of NAMES.entries())
    made.scene.bytes.blobs[`live/${name}.jpg`] = mediaOf(JPEG, 5000, index + 1);
  return made;
};

describe('a key that is refused for an upload', () => {
  it.each([
    ['it is not accepted', 401, { code: 'UNAUTHORIZED', message: 'Invalid API key' }],
    [
      'it lacks the permission',
      403,
      { code: 'API_KEY_PERMISSION_DENIED', details: { required_permission: 'media_uploader.manage' } },
    ],
  ])('halts the run as anywhere else: %s', async (_, status, body) => {
    const { scene, simulator } = refusing(status, body);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([
      1,
      ['create failed', 'create not_attempted', 'create not_attempted', 'create not_attempted'],
    ]);
    expect(messages(run)).toContain(`answered ${status}`);
    expect(messages(run)).toContain('Not attempted after the key was refused');
    expect(simulator.control.oracle().requests.map(({ operation }) => operation)).not.toContain(
      'campaigns.create',
    );
  });
});
