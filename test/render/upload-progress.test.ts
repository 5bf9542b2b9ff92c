import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../src/render/values.ts';
import { renderUploadProgress } from '../../src/render/upload-progress.ts';

const MIB = 2 ** 20;

describe('the progress of uploads', () => {
  it('says how much, how fast and how long of all, and how far each file is', () => {
    const line = renderUploadProgress({
      active: [
        { name: 'hello.mp4', size: 100 * MIB, sent: 62.5 * MIB, phase: 'uploading' },
        { name: 'a\u001b[31m.jpg', size: MIB, sent: MIB, phase: 'exporting' },
      ],
      files: 3,
      ended: 1,
      total: 200 * MIB,
      sent: 100 * MIB,
      perSecond: 5 * MIB,
    });
    expect(line).toBe(
      '[########--------] 50% of 200.0 MiB, 5.0 MiB/s, 0:20 left, 1 of 3 done · hello.mp4 62% · a\\u{1b}[31m.jpg exporting',
    );
  });

  it('says nothing about speed while there is nothing to tell it from, and 100% only at the end', () => {
    const one = { active: [], files: 1, ended: 0, total: 1000, perSecond: null };
    expect(renderUploadProgress({ ...one, sent: 999 })).toBe('[###############-] 99% of 1000 bytes');
    expect(renderUploadProgress({ ...one, sent: 1000 })).toBe('[################] 100% of 1000 bytes');
  });

  it('has words for sizes and times', () => {
    expect([0, 1023, 1024, 5 * 2 ** 30].map(formatBytes)).toEqual([
      '0 bytes',
      '1023 bytes',
      '1.0 KiB',
      '5.0 GiB',
    ]);
    const long = { active: [], files: 1, ended: 0, total: 2 ** 30, sent: 0 };
    expect(renderUploadProgress({ ...long, perSecond: 2 ** 30 / 7_200 })).toContain(', 2:00:00 left');
  });
});
