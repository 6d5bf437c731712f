import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { InventoryType, PurchaseOrderCancelled, PurchaseOrderUpserted } from '@po/contracts';
import type { EventContext } from '@po/messaging';
import { InventoryService } from './inventory.service.js';

@Controller()
export class InventoryController {
  constructor(private readonly inventory: InventoryService) {}

  @EventPattern<string>('purchase-order.upserted' satisfies InventoryType)
  upserted(@Payload() snapshot: PurchaseOrderUpserted, @Ctx() context: EventContext): Promise<void> {
    return this.inventory.upserted(snapshot, context);
  }

  @EventPattern<string>('purchase-order.cancelled' satisfies InventoryType)
  cancelled(@Payload() cancellation: PurchaseOrderCancelled, @Ctx() context: EventContext): Promise<void> {
    return this.inventory.cancelled(cancellation, context);
  }
}
