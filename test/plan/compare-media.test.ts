import { describe, expect, it } from 'vitest';
import { mediaKey } from '../../src/domain/media.ts';
import type { MediaFile } from '../../src/domain/message.ts';
import { mediaJudge } from '../../src/plan/compare/media.ts';
import { knowing } from '../helpers/resource-builders.ts';

const FILE: MediaFile = {
  path: 'media/a.jpg',
  name: 'a.jpg',
  size: 5,
  content_type: 'image/jpeg',
  digest: 'sha256:aa',
};

function told(
  liveId: string,
  { sent, uploaded = {} }: { sent?: Record<string, string>; uploaded?: Record<string, string> },
) {
  const [known = null] = knowing({ campaigns: [{ id: '1', media: sent ?? null }] }).objects.values();
  const media = new Map(Object.entries(uploaded).map(([id, print]) => [mediaKey('101', id), print]));
  return mediaJudge('101', known, media)(FILE, liveId);
}

describe('a live media in the place of a file', () => {
  it.each([
    ['was uploaded from its bytes', { uploaded: { 7: 'sha256:aa' } }, 'same'],
    ['was sent for its bytes', { sent: { 7: 'sha256:aa' } }, 'same'],
    [
      'was uploaded from its bytes, as another one was',
      { uploaded: { 6: 'sha256:aa', 7: 'sha256:aa' } },
      'same',
    ],
    ['was uploaded from other bytes', { uploaded: { 7: 'sha256:bb' } }, 'other'],
    ['was sent for other bytes', { sent: { 7: 'sha256:bb' }, uploaded: { 6: 'sha256:aa' } }, 'other'],
    ['is unknown, and the bytes were sent under another id', { sent: { 6: 'sha256:aa' } }, 'other'],
    ['is unknown, and other bytes were sent', { sent: { 6: 'sha256:bb' } }, 'unknown'],
    [
      'is unknown, and the bytes were uploaded for something else',
      { uploaded: { 6: 'sha256:aa' } },
      'unknown',
    ],
    ['is unknown, and nothing else is known', {}, 'unknown'],
    ['was uploaded with a fingerprint of another kind', { uploaded: { 7: 'gmac-1:aa' } }, 'unknown'],
  ] as const)('%s', (_, knowledge, verdict) => {
    expect(told('7', knowledge)).toBe(verdict);
  });

  it('of another account is not known', () => {
    const media = new Map([[mediaKey('102', '7'), 'sha256:aa']]);
    expect(mediaJudge('101', null, media)(FILE, '7')).toBe('unknown');
  });
});
