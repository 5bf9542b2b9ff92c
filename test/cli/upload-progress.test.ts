import { expect, it } from 'vitest';
import { UploadProgress } from '../../src/cli/upload-progress.ts';
import type { LocalFile } from '../../src/api/upload-file.ts';

const MIB = 2 ** 20;

function aFile(name: string, size: number): LocalFile {
  return { path: name, name, size, contentType: 'video/mp4', changedMs: 0 };
}

it('says how many files and how much of them are there, and what each does now', () => {
  const lines: string[] = [];
  let nowMs = 0;
  const board = new UploadProgress({
    clock: { monotonicMs: () => nowMs },
    output: { progress: (line: string) => void lines.push(line) },
  } as unknown as ConstructorParameters<typeof UploadProgress>[0]);
  const small = board.follow(aFile('a\u001b[31m.jpg', MIB));
  const large = board.follow(aFile('hello.mp4', 9 * MIB));
  small.onPhase('exporting');
  nowMs = 2_000;
  large.onPhase('uploading');
  large.onBytes(5 * MIB);
  small.onEnd();
  large.onEnd();
  expect(lines).toEqual([
    '0 of 2 files, 0% of 10.0 MiB · a\\u{1b}[31m.jpg exporting',
    '0 of 2 files, 0% of 10.0 MiB · a\\u{1b}[31m.jpg exporting · hello.mp4 uploading',
    '1 of 2 files, 60% of 10.0 MiB · hello.mp4 uploading',
    '',
  ]);
});
