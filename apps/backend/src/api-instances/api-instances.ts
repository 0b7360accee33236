/** Changes instances of generated APIs as the specification asks for them: several records with one call. */
import { Inject, Injectable } from '@nestjs/common';
import type { apiInstances, InputOf } from '@quarterdeck/contract';
import {
  apiInstance,
  endpoint,
  laterOf,
  noPort,
  oauthParam,
  type FieldsOf,
  type Position,
} from '@quarterdeck/events';
import { fieldsInput } from '@quarterdeck/events/kit';
import { v5 as uuidv5 } from 'uuid';
import type { Decision } from '../platform/decider';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { PlainRecords, recordsOf, type Values } from '../platform/kit';
import { type CommandMeta, idFor, secretFor } from '../platform/sessions';
import { VAULT, type Vault } from '../platform/tokens';
import { ApiLibrary } from './api-library';
import type { OauthView } from './described';
import { endpointsOf } from './entity-endpoints';

type Init = Omit<InputOf<typeof apiInstances.init>, 'productId'>;
type Info = InputOf<typeof apiInstances.updateInfo>['data'];
type OauthInput = NonNullable<Info['oAuthParams']>[number];

/** A command of its own within a call. */
export const part = (what: string, meta: CommandMeta): CommandMeta => ({
  ...meta,
  keyed: true,
  commandId: uuidv5(what, idFor('part', meta)),
});

/** @throws DomainError that names the field */
const refuseUnfit = (fields: FieldsOf<never>, data: Values, place: string, before?: Values): void => {
  const [issue] =
    fieldsInput({ fields: fields as never }, before ? 'edited' : 'new', before).safeParse(data).error
      ?.issues ?? [];
  if (issue) throw invalidField([place, ...issue.path].join('.'), issue.message);
};

@Injectable()
export class ApiInstances {
  constructor(
    private readonly library: ApiLibrary,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(recordsOf(apiInstance)) private readonly instances: PlainRecords,
    @Inject(recordsOf(oauthParam)) private readonly oauth: PlainRecords,
    @Inject(recordsOf(endpoint)) private readonly endpoints: PlainRecords,
  ) {}

  async init(
    { instance, description = '', ...fields }: Init,
    product: string,
    meta: CommandMeta,
  ): Promise<Decision> {
    const token = secretFor('api-token', meta, this.vault);
    const data = { ...fields, name: instance, description, servers: [], ...noPort, token };
    try {
      return await this.instances.add(data, product, meta);
    } catch (error) {
      if (!(error instanceof DomainError) || error.data?.['name'] === undefined) throw error;
      throw invalidField('instance', error.data['name']);
    }
  }

  async replaceToken(id: string, meta: CommandMeta): Promise<Decision> {
    return this.instances.edit(id, { token: secretFor('api-token', meta, this.vault) }, meta);
  }

  /** Everything is judged before the first change. */
  async update(
    id: string,
    { servers, oAuthParams }: Info,
    meta: CommandMeta,
  ): Promise<{ id: string; position: Position }> {
    const view = await this.library.instance(id, meta.workspace);
    if (servers) refuseUnfit({ servers: apiInstance.fields.servers } as never, { servers }, 'data');
    const present = new Map((view.oAuthParams ?? []).map((one) => [one.service, one]));
    if (oAuthParams) this.judge(oAuthParams, present);
    let { position } = view as { position: Position };
    const done = async (change: Promise<Decision>): Promise<void> => {
      position = laterOf(position, (await change).position);
    };
    if (servers) await done(this.instances.edit(id, { servers }, part('servers', meta)));
    if (oAuthParams) {
      for (const [service, one] of present)
        if (!oAuthParams.some((wanted) => wanted.service === service))
          await done(this.oauth.remove(one.id, service, part(`remove ${service}`, meta)));
      for (const { options = {}, ...wanted } of oAuthParams) {
        const own = part(`set ${wanted.service}`, meta);
        const before = present.get(wanted.service);
        await done(
          before
            ? this.oauth.edit(before.id, { ...wanted, options }, own)
            : this.oauth.add({ ...wanted, options }, id, own),
        );
      }
    }
    return { id, position };
  }

  /**
   * Endpoints that exist already stay as they are.
   * @throws DomainError if all exist, or the entity cannot have them
   */
  async addOfEntity(
    { apiInfo, entity }: InputOf<typeof apiInstances.insertOfEntity>,
    meta: CommandMeta,
  ): Promise<{ ids: string[]; position: Position }> {
    const { product } = await this.library.instance(apiInfo.uuid, meta.workspace);
    const [model, known] = await Promise.all([
      this.library.apiModel(apiInfo.uuid, meta.workspace),
      this.library.model(product, meta.workspace),
    ]);
    // Both have the entities in the same order.
    const at = known.entities.findIndex(({ id }) => id === entity.id);
    const found = [...model.entities.values()][at];
    if (!found) throw notFound('entity');
    const wanted = endpointsOf(found);
    if (wanted.length === 0)
      throw invalidField(
        'entity',
        `${found.name} needs a key and at least one attribute that can be written: add an attribute to it first`,
      );
    const added = await this.endpoints.addAll(
      wanted.map((one, index) => ({
        data: { bodyShape: null, routeChainMap: null, ...one },
        meta: part(`endpoint ${index}`, meta),
      })),
      apiInfo.uuid,
    );
    const decisions = added.filter((one): one is Decision => !(one instanceof DomainError));
    if (decisions.length === 0) {
      const refusals = added.filter((one): one is DomainError => one instanceof DomainError);
      const other = refusals.find(({ data }) => data?.['path'] === undefined);
      throw other ?? new DomainError('conflict', `the endpoints of ${found.name} exist already`);
    }
    const positions = decisions.map(({ position }) => position);
    return { ids: decisions.map(({ id }) => id), position: positions.reduce(laterOf) };
  }

  private judge(wanted: readonly OauthInput[], present: ReadonlyMap<string, OauthView>): void {
    for (const [at, { options = {}, ...one }] of wanted.entries()) {
      const place = `data.oAuthParams.${at}`;
      if (wanted.findIndex(({ service }) => service === one.service) < at)
        throw invalidField(`${place}.service`, `${one.service} is in the list already`);
      const before = present.get(one.service);
      refuseUnfit(oauthParam.fields as never, { ...one, options }, place, before && { ...before });
    }
  }
}
