import { Module } from '@nestjs/common';
import { optionSet, optionSetValue } from '@quarterdeck/events';
import { plain } from '../platform/kit';

@Module(plain(optionSet))
export class OptionSetsModule {}

@Module(plain(optionSetValue))
export class OptionSetValuesModule {}
