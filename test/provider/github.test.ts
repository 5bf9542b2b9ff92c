import { describe, expect, it } from 'vitest';
import { gitHubProvider } from '../../src/provider/github.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { zipOf } from './zip-of.ts';

const PLAN = 'herald-plan.json';
const TEXT = Buffer.from('{"plan":true}');

/** Reads a file of an artifact with this archive. */
function unpack(archive: Uint8Array, file: string, maxBytes: number): Promise<Uint8Array> {
  const artifacts = [{ id: 5, name: 'plan' }];
  const options = {
    token: 'bot-token',
    apiUrl: 'https://api.example',
    graphqlUrl: 'https://api.example/graphql',
    fetch: async (url: string) =>
      url.endsWith('/5/zip') ? new Response(Uint8Array.from(archive)) : Response.json({ artifacts }),
    clock: flowClock(),
    userAgent: 'herald/test',
  };
  return gitHubProvider(options, 'acme/ads').artifactFile({ run: '1', name: 'plan' }, file, maxBytes);
}

describe('one file of the archive of an artifact', () => {
  it('is read by its whole name, and nothing else is unpacked', async () => {
    const archive = zipOf({
      [`old/${PLAN}`]: Buffer.from('old'),
      [PLAN]: TEXT,
      'page.html': Buffer.alloc(1e6),
    });
    expect(Buffer.from(await unpack(archive, PLAN, 100)).toString()).toBe('{"plan":true}');
    expect(Buffer.from(await unpack(archive, `old/${PLAN}`, 100)).toString()).toBe('old');
  });

  it('may be empty, or as large as allowed', async () => {
    const archive = zipOf({ [PLAN]: Buffer.alloc(0), other: Buffer.alloc(100, 'x') });
    expect(await unpack(archive, PLAN, 100)).toHaveLength(0);
    expect(await unpack(archive, 'other', 100)).toHaveLength(100);
  });

  it.each([
    ['is too large', zipOf({ [PLAN]: Buffer.alloc(101) }), 'more than 100 bytes'],
    ['is a bomb that lies', zipOf({ [PLAN]: Buffer.alloc(5_000_000) }, { lies: { size: 10 } }), 'damaged'],
    ['is there twice', zipOf({ [PLAN]: TEXT }, { again: [[PLAN, Buffer.from('{"other":1}')]] }), 'two files'],
    ['is missing', zipOf({ other: TEXT }), `no file ${PLAN}`],
    ['is in an archive with a path upwards', zipOf({ [PLAN]: TEXT, '../../x': TEXT }), 'damaged'],
    ['is in an archive that is cut off', zipOf({ [PLAN]: TEXT }).subarray(0, 60), 'damaged'],
    ['is in a web page', Buffer.from('<html>not a zip</html>'), 'damaged'],
    ['is in nothing', Buffer.alloc(0), 'damaged'],
  ])('is an error if it %s', async (_title, archive, words) => {
    await expect(unpack(archive, PLAN, 100)).rejects.toMatchObject({
      code: 'provider-artifact',
      message: expect.stringContaining(words) as string,
    });
  });

  it('with a flipped bit never ends in a crash', async () => {
    const archive = zipOf({ [PLAN]: Buffer.from('{"plan":"a text of some length, so that it is packed"}') });
    for (let at = 0; at < archive.length; at += 1) {
      const altered = Buffer.from(archive);
      altered[at] = (altered[at] ?? 0) ^ 0x10;
      // Any answer but a crash or a hang: the content is checked again by its reader.
      const end = await unpack(altered, PLAN, 1000).then(
        () => 'read',
        (error: unknown) => (error as { readonly code: string }).code,
      );
      expect(['read', 'provider-artifact']).toContain(end);
    }
  });
});
