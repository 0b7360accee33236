import { Module } from '@nestjs/common';
import { servicePackage } from '@quarterdeck/events';
import { plain } from '../platform/kit';

@Module(plain(servicePackage))
export class PackagesModule {}
