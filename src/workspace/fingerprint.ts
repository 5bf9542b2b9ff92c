import { digest } from '../domain/digest.ts';
import type { Declared } from '../domain/resource.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';

/** Resources that are hashed together: hashing each alone takes longer than the hashing itself. */
const HASHED_TOGETHER = 256;

/** What was declared, wherever and however it is written. A saved plan names its service apart from this. */
export function fingerprint(settings: WorkspaceSettings, declared: readonly Declared[]): string {
  const accounts = settings.accounts.map(({ alias, selector }) => ({ alias, selector }));
  const resources: string[] = [];
  for (let start = 0; start < declared.length; start += HASHED_TOGETHER) {
    const together = declared.slice(start, start + HASHED_TOGETHER);
    // As text, because shapes put keys into their own order already.
    resources.push(digest(JSON.stringify(together.map(({ source: _source, ...resource }) => resource))));
  }
  const { identity, target, ...service } = settings.service;
  // What the origin does not show must not change unnoticed either.
  const unshown =
    target.kind === 'http' && target.baseUrl !== identity.origin ? digest(target.baseUrl) : null;
  return digest({ ...settings, service: { ...service, unshown }, accounts, resources });
}
