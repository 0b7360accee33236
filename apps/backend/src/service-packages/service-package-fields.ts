/** The image and the digest of a package: what is right depends on the type of its service. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { refusedDigest, refusedPackage, service, servicePackage, type ValuesOf } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';

type Package = ValuesOf<typeof servicePackage> & { service: string };

@Injectable()
export class ServicePackageFields implements OnModuleInit {
  constructor(
    @Inject(recordsOf(servicePackage)) private readonly packages: PlainRecords,
    @Inject(recordsOf(service)) private readonly services: PlainRecords,
  ) {}

  onModuleInit(): void {
    this.packages.judgeFields(async (given, was, workspace) => {
      const [after, before] = [given as unknown as Package, was as unknown as Package | undefined];
      const found = await this.services.opened(after.service, workspace);
      const { packageType } = found as unknown as ValuesOf<typeof service>;
      const refused = {
        image: after.image === before?.image ? undefined : refusedPackage(after.image, packageType),
        digest: after.digest === before?.digest ? undefined : refusedDigest(after.digest, packageType),
      };
      for (const [field, reason] of Object.entries(refused))
        if (reason !== undefined) throw invalidField(field, reason);
    });
  }
}
