import { createPresignedTransport } from '../src/api/transport.ts';
import { systemClock } from '../src/host/clock.ts';
import { typedFiles } from '../src/host/files.ts';
import { examineFile } from '../src/api/upload-file.ts';
import { putFile, readDestination } from '../src/acts/upload/put.ts';

/** Puts a file to a base address the way the command line does, in so many parts. */
export async function putToStore(path: string, baseUrl: string, parts: number): Promise<void> {
  const bytes = typedFiles('.');
  const file = await examineFile(bytes, path, { name: 'bench.mp4', contentType: undefined });
  if ('problems' in file) throw new Error(file.problems.join(', '));
  const started = {
    key: 'bench',
    get_url: baseUrl,
    upload_id: 'bench',
    parts: Array.from({ length: parts }, (_, index) => ({
      id: index + 1,
      put_url: `${baseUrl}/${index + 1}`,
    })),
  };
  const destination = readDestination(started, file.size, baseUrl);
  const ports = {
    bytes,
    putBytes: createPresignedTransport(),
    clock: systemClock,
    random: Math.random,
    interrupted: new AbortController().signal,
  };
  await putFile(ports, { file, parallel: 4, onBytes: () => undefined }, destination);
}
