import type { ByteFiles } from '../domain/ports.ts';
import { LocalMedia } from './local-media.ts';
import type { LoadOptions } from '../workspace/load.ts';

interface LoadPorts {
  readonly bytes: ByteFiles;
  readonly env: LoadOptions['env'];
  readonly interrupted: AbortSignal;
}

/** What loading the files of a workspace needs where nothing is compared: what media files hold is not asked. */
export function loadOptions({ bytes, env, interrupted }: LoadPorts): LoadOptions {
  const media = new LocalMedia(bytes, interrupted, 'qualify');
  return { env, media: media.examine };
}
