/** A file that a version is downloaded as, saved under the name that the back end gives it. */
import type { ApiError } from '../../core/http';
import { saveBlob } from '../../ui/save-text';

/** @returns why there is no file, if there is none */
export const saveDownload = async (
  path: string,
  body: Readonly<Record<string, string>>,
): Promise<ApiError | undefined> => {
  const answer = await fetch(`/api/${path}`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'quarterdeck' },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  if (!answer)
    return { status: 'offline', msg: 'The console cannot reach its server. Check the connection.' };
  if (!answer.ok) {
    const said = (await answer.json().catch(() => ({}))) as { msg?: string };
    return { status: answer.status, msg: said.msg ?? `The server refused this download (${answer.status}).` };
  }
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'download';
  saveBlob(name, await answer.blob());
  return undefined;
};
