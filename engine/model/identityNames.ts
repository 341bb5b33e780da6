/** The entity whose records sign in, and receive messages. */
export const userEntity = 'user'
/** The entity of roles, and its field by which files and expressions name them. */
export const roleEntity = 'role'
export const roleCode = 'code'
/** The entity that groups users. */
export const departmentEntity = 'department'
