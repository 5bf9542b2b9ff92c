import type { World } from '../world.ts';
import { findUpload } from './find-upload.ts';
import { readPresigned } from './presigned.ts';
import type { Upload, UploadPart } from './state.ts';
import type { StorageRequest } from './storage-ports.ts';
import { StoreRefusal } from './store-refusal.ts';

/** An accepted put. */
export interface Admitted {
  readonly accountId: string;
  readonly upload: Upload;
  readonly part: UploadPart;
  /** Of the body, in bytes. */
  readonly length: number;
}

/** Object stores accept no smaller part, except the last one. */
const LEAST_PART_BYTES = 5 * 1_048_576;

/**
 * The checks of the store before the first byte. Assumed: they and their refusals are those of common object
 * stores. Documented: the store never gets the service's key (VAULT-6).
 */
export function admitPut(world: World, request: StorageRequest): Admitted {
  const { method, header } = request;
  const address = readPresigned(new URL(request.url, world.storage.baseUrl));
  if (header(world.authHeader) !== null || header('authorization') !== null)
    throw new StoreRefusal(400, 'InvalidArgument', 'Only one auth mechanism allowed');
  if (method !== 'PUT' || (address.isSigned && address.method !== 'PUT'))
    throw new StoreRefusal(405, 'MethodNotAllowed', 'The method is not allowed for this address');
  const found = findUpload(world, address.key);
  if (found === null) throw new StoreRefusal(404, 'NoSuchKey', 'The key does not exist');
  const { accountId, upload } = found;
  const part = upload.parts.find(({ id }) =>
    upload.upload_id === null ? address.part === null : id === address.part,
  );
  if (!address.isSigned || part === undefined || header('content-type') !== upload.content_type)
    throw new StoreRefusal(403, 'SignatureDoesNotMatch', 'The request is not the one that was signed');
  if (address.expiresMs <= world.nowMs) throw new StoreRefusal(403, 'AccessDenied', 'Request has expired');
  if (upload.joined !== null) throw new StoreRefusal(404, 'NoSuchUpload', 'The upload has been completed');
  return { accountId, upload, part, length: lengthOf(world, request, upload, part) };
}

function lengthOf(
  { modes }: World,
  { header }: StorageRequest,
  { upload_id, size, parts }: Upload,
  part: UploadPart,
): number {
  const text = header('content-length');
  if (text === null || header('transfer-encoding') !== null || !/^\d+$/.test(text))
    throw new StoreRefusal(411, 'MissingContentLength', 'You must provide the Content-Length header');
  const length = Number(text);
  if (upload_id === null && length !== size)
    throw new StoreRefusal(400, 'IncompleteBody', `The object has ${size} bytes, not ${length}`);
  const isLast = part === parts.at(-1);
  const least = isLast || modes.uploadPartBytes < LEAST_PART_BYTES ? 1 : LEAST_PART_BYTES;
  if (length < least) throw new StoreRefusal(400, 'EntityTooSmall', `A part has at least ${least} bytes`);
  if (length > size) throw new StoreRefusal(400, 'EntityTooLarge', `The object has ${size} bytes`);
  return length;
}
