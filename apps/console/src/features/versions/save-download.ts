/** A file that a version is downloaded as, saved under the name that the back end gives it. */
import { send, type ApiError } from '../../core/http';
import { saveBlob } from '../../ui/save-text';

/** @returns why there is no file, if there is none */
export const saveDownload = async (
  path: string,
  body: Readonly<Record<string, string>>,
): Promise<ApiError | undefined> => {
  const answer = await send({ url: `/data-model/version/${path}`, body });
  if ('error' in answer) return answer.error;
  const { name, blob } = answer.data as { name: string; blob: Blob };
  saveBlob(name, blob);
  return undefined;
};
