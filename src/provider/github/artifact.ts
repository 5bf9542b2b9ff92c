import { ProviderError } from '../error.ts';
import type { Call, GitHubClient } from './client.ts';
import { artifactsReply } from './shapes.ts';

/** Larger ones are not ours. */
const SIZE_MAX_BYTES = 32 * 1024 * 1024;

/** The id of the newest artifact of this name: each attempt of a run has its own. */
export async function artifactOf(client: GitHubClient, call: Call, name: string): Promise<number> {
  const { artifacts } = await client.ask(
    { ...call, params: { ...call.params, per_page: 100 } },
    artifactsReply,
  );
  const named = artifacts
    .filter((artifact) => artifact.name === name)
    .toSorted((one, other) => (other.created_at ?? '').localeCompare(one.created_at ?? ''));
  const [newest] = named;
  if (newest === undefined) throw gone(`The run has no artifact ${name}.`);
  if (newest.expired === true) {
    const at = newest.expires_at ?? null;
    throw gone(`Artifact ${name} expired${at === null ? '' : ` at ${at}`}.`);
  }
  if ((newest.size_in_bytes ?? 0) > SIZE_MAX_BYTES) throw gone(`Artifact ${name} has more than 32 MiB.`);
  return newest.id;
}

/** Its archive. It may expire after it was found. */
export async function archiveOf(client: GitHubClient, call: Call, name: string): Promise<Uint8Array> {
  try {
    return await client.bytes(call);
  } catch (error) {
    const status = error instanceof ProviderError ? error.call?.status : null;
    if (status === 404 || status === 410) throw gone(`Artifact ${name} expired or was deleted.`);
    throw error;
  }
}

function gone(why: string): ProviderError {
  return new ProviderError('provider-artifact', why, null);
}
