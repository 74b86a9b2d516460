/// The page of one pet.
///
/// Each page on the application's stack is an instance of ``Module``, made by ``Pets/Module`` and identified by its
/// entry in the stack. It owns the load of its pet, and nothing here has to know how many pages there are, which of them
/// is visible, or how a page is closed.
public enum PetPage {}
