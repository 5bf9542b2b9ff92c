import { createPresignedTransport } from '../src/api/transport.ts';
import { systemClock } from '../src/host/clock.ts';
import { anywhereFrom } from '../src/host/confined.ts';
import { workspaceBytes } from '../src/host/files.ts';
import { examineFile } from '../src/api/upload-file.ts';
import { cutFile, putFile, type Destination } from '../src/acts/upload/put.ts';

/** Puts a file to a base address the way the command line does, in so many parts. */
export async function putToStore(path: string, baseUrl: string, parts: number): Promise<void> {
  const bytes = workspaceBytes('.', anywhereFrom('.'));
  const file = await examineFile(bytes, path, { name: 'bench.mp4', contentType: undefined });
  if ('problems' in file) throw new Error(file.problems.join(', '));
  const destination: Destination = {
    key: 'bench',
    getUrl: baseUrl,
    uploadId: parts === 1 ? null : 'bench',
    parts: (cutFile(file.size, parts) ?? []).map((range, index) => ({
      id: index + 1,
      putUrl: `${baseUrl}/${index + 1}`,
      range,
    })),
  };
  const ports = {
    bytes,
    putBytes: createPresignedTransport(),
    clock: systemClock,
    random: Math.random,
    interrupted: new AbortController().signal,
  };
  await putFile(ports, { file, parallel: 4, onBytes: () => undefined }, destination);
}
