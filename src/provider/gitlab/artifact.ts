import { ProviderError } from '../error.ts';
import type { GitLabClient } from './client.ts';
import { jobReply } from './shapes.ts';

/** One file of the artifact of a job. `job` is the path of its job in the API. */
export async function artifactFileOf(
  client: GitLabClient,
  job: string,
  file: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const path = `${job}/artifacts/${file.split('/').map(encodeURIComponent).join('/')}`;
  try {
    const bytes = await client.bytes({ method: 'GET', path, what: `download ${file}` });
    if (bytes.byteLength <= maxBytes) return bytes;
    throw new ProviderError('provider-artifact', `${file} has more than ${maxBytes} bytes.`, null);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== 'provider-not-found') throw error;
    throw await goneOf(client, job, file);
  }
}

/** A file that is missing and an artifact that expired have the same answer. */
async function goneOf(client: GitLabClient, job: string, file: string): Promise<ProviderError> {
  const { artifacts_file: archive, artifacts_expire_at: until } = await client.ask(
    { method: 'GET', path: job, what: 'read the job of the artifact' },
    jobReply,
  );
  const isThere = archive !== null && archive !== undefined;
  const expired = `The artifact expired${until === null || until === undefined ? '' : ` at ${until}`}, or the job made none.`;
  return new ProviderError(
    'provider-artifact',
    isThere ? `The artifact has no file ${file}.` : expired,
    null,
  );
}
