import { Controller } from '@nestjs/common';
import { INVENTORY_TYPES, type PurchaseOrderCancelled, type PurchaseOrderUpserted } from '@po/contracts';
import { type EventContext, HandleEvent } from '@po/messaging';
import { InventoryService } from './inventory.service.js';

@Controller()
export class InventoryController {
  constructor(private readonly inventory: InventoryService) {}

  @HandleEvent(INVENTORY_TYPES, 'purchase-order.upserted')
  upserted(snapshot: PurchaseOrderUpserted, context: EventContext): Promise<void> {
    return this.inventory.upserted(snapshot, context);
  }

  @HandleEvent(INVENTORY_TYPES, 'purchase-order.cancelled')
  cancelled(cancellation: PurchaseOrderCancelled, context: EventContext): Promise<void> {
    return this.inventory.cancelled(cancellation, context);
  }
}
