/** The image and the digest of a package: what is right depends on the type of its service. */
import { Inject, Injectable } from '@nestjs/common';
import {
  refusedDigest,
  refusedPackage,
  service,
  type servicePackage,
  type ValuesOf,
} from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import { PlainRecords, recordsOf, type Values } from '../platform/kit';

type Package = ValuesOf<typeof servicePackage> & { service: string };

@Injectable()
export class ServicePackageFields {
  constructor(@Inject(recordsOf(service)) private readonly services: PlainRecords) {}

  /** @throws DomainError that names the field */
  async judge(given: Values, was: Values | undefined, workspace: string): Promise<void> {
    const [after, before] = [given as unknown as Package, was as unknown as Package | undefined];
    const found = await this.services.opened(after.service, workspace);
    const { packageType } = found as unknown as ValuesOf<typeof service>;
    const refused = {
      image: after.image === before?.image ? undefined : refusedPackage(after.image, packageType),
      digest: after.digest === before?.digest ? undefined : refusedDigest(after.digest, packageType),
    };
    for (const [field, reason] of Object.entries(refused))
      if (reason !== undefined) throw invalidField(field, reason);
  }
}
